/** A register as the target describes it. */
export interface TargetRegister {
  readonly name: string;
  readonly number: number;
  readonly bits: number;
  /** `int64`, `code_ptr`, `i386_eflags` … */
  readonly type: string;
  /** `org.gnu.gdb.i386.core` … */
  readonly feature: string;
  readonly group: string;
}

/** The named bits of a flags register. */
export interface TargetFlag {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

export interface TargetDescription {
  /** `i386:x86-64`, `aarch64`, `riscv:rv64` … */
  readonly architecture: string;
  readonly registers: readonly TargetRegister[];
  /** By the type of the register. */
  readonly flags: ReadonlyMap<string, readonly TargetFlag[]>;
}

const maxDocuments = 64;
const maxRegisters = 8192;
const element = /<(architecture|feature|reg|flags|field|xi:include)\b([^<>]*)>([^<]*)/g;
/** Only from the start of a word on: otherwise a long one is looked at from each of its letters. */
const attribute = /(?<![\w:])([\w:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Puts the description together from its documents, which `read` fetches by name. */
export async function readTargetDescription(read: (name: string) => Promise<string>): Promise<TargetDescription> {
  const registers: TargetRegister[] = [];
  const flags = new Map<string, TargetFlag[]>();
  const seen = new Set<string>();
  let architecture = '';
  let nextNumber = 0;

  const take = async (name: string): Promise<void> => {
    if (seen.has(name) || seen.size >= maxDocuments) return;
    seen.add(name);
    let feature = '';
    let fields: TargetFlag[] = [];
    // QEMU's i386-64bit.xml has registers inside comments; they have no number.
    const text = (await read(name)).replace(/<!--[\s\S]*?(?:-->|$)/g, '');
    for (const [, tag, attributes = '', content = ''] of text.matchAll(element)) {
      const values = attributesOf(attributes);
      const given = (key: string) => values.get(key) ?? '';
      if (tag === 'architecture') architecture ||= content.trim();
      else if (tag === 'feature') feature = given('name');
      else if (tag === 'xi:include') await take(given('href'));
      else if (tag === 'flags') {
        fields = [];
        flags.set(given('id'), fields);
      } else if (tag === 'field') {
        const start = smallNumber(values.get('start'), 511);
        if (start !== undefined)
          fields.push({ name: given('name'), start, end: smallNumber(values.get('end'), 511) ?? start });
      } else if (tag === 'reg') {
        const number = smallNumber(values.get('regnum'), 0xffff) ?? nextNumber;
        nextNumber = number + 1;
        const bits = smallNumber(values.get('bitsize'), 32_768);
        if (!bits || !values.get('name') || registers.length >= maxRegisters) continue;
        registers.push({
          name: given('name'),
          number,
          bits,
          type: given('type'),
          feature,
          group: given('group'),
        });
      }
    }
  };

  await take('target.xml');
  return { architecture, registers: registers.sort((a, b) => a.number - b.number), flags };
}

function attributesOf(text: string): Map<string, string> {
  return new Map(Array.from(text.matchAll(attribute), ([, key = '', double, single]) => [key, double ?? single ?? '']));
}

function smallNumber(text: string | undefined, most: number): number | undefined {
  if (text === undefined || !/^\d{1,6}$/.test(text)) return undefined;
  const value = Number(text);
  return value <= most ? value : undefined;
}
