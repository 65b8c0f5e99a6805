/** Properties of a board that are options of ours. */
const ownOptions: Readonly<Record<string, string>> = {
  accel: 'accel',
  append: 'append',
  bios: 'bios',
  dtb: 'dtb',
  firmware: 'bios',
  initrd: 'initrd',
  kernel: 'kernel',
  memory: 'memory',
  smp: 'smp',
};

/** Properties whose value is a word. All others take numbers and switches, which name no file. */
const wordProperties: ReadonlySet<string> = new Set(
  (
    'aia fmc-model gic-version iommu kernel-irqchip loadparm nvdimm-persistence remap smbios-entry-point-type ' +
    'spi-model x-oem-id x-oem-table-id'
  ).split(' '),
);

const typeForm = /^[A-Za-z][\w.-]{0,63}$/;
const nameForm = /^[A-Za-z][\w-]{0,63}$/;
const plainValue = /^(?:(?:0x[\da-f]{1,16}|\d{1,20})[KMGT]?|on|off|auto|true|false|none)$/i;
const word = /^[\w.+-]{1,64}$/;

export interface MachineProblem {
  readonly why: string;
  /** The option to use in its place. */
  readonly option?: string;
}

/** Why a value of the option `machine` is not taken; undefined when it is. */
export function machineProblem(machine: string): MachineProblem | undefined {
  const [type = '', ...properties] = machine.split(',');
  if (!typeForm.test(type)) return { why: `${JSON.stringify(type.slice(0, 40))} is not the name of a board` };
  for (const property of properties) {
    const [name = '', value = 'on', ...more] = property.split('=');
    const own = ownOptions[name.split('.')[0] ?? ''];
    if (own !== undefined) return { why: `sets ${name.split('.')[0]}`, option: own };
    const taken = more.length === 0 && nameForm.test(name) && (plainValue.test(value) || isWord(name, value));
    if (!taken) return { why: `${JSON.stringify(property.slice(0, 60))} is not a property that is known to be safe` };
  }
  return undefined;
}

function isWord(name: string, value: string): boolean {
  return wordProperties.has(name) && word.test(value);
}

/** `MODEL,+FEATURE,NAME=VALUE`: QEMU knows no processor that opens anything. */
export function isPlainProcessor(cpu: string): boolean {
  return /^[A-Za-z0-9][\w.+-]{0,63}(?:,[+-]?[A-Za-z][\w.-]{0,63}(?:=[\w.:+ -]{0,64})?)*$/.test(cpu);
}
