import type { Breakpoint, BreakpointCapability, BreakpointChange, BreakpointSpec } from '../../machine/breakpoints.ts';
import { advice, call, MachineError } from '../../machine/errors.ts';
import type { NamedProgram } from '../../machine/names.ts';
import type { NameBook } from './name-book.ts';

/** Types whose address is a place in memory, which moves with the program. */
const placed: readonly string[] = ['exec', 'read', 'write', 'access', 'change'];
const texts = ['type', 'condition', 'log', 'group', 'skip', 'chip', 'bank'] as const;
const flags = ['logOnly', 'snapshot', 'each', 'enabled'] as const;
const numbers = ['length', 'ignore', 'mask'] as const;
const mostChars = 500;

type Asked = { readonly [Name in 'temporary' | 'tree' | 'cpu' | 'type']?: BreakpointSpec[Name] | undefined };

/** The breakpoints of a machine, of which some are kept with the program that is loaded, beside its names. */
export class KeptBreakpoints implements BreakpointCapability {
  readonly #inner: BreakpointCapability;
  readonly #names: NameBook;
  readonly #tell: (text: string) => void;
  /** The program that the kept ones belong to. */
  #owner: NamedProgram | undefined;

  constructor(inner: BreakpointCapability, names: NameBook, tell: (text: string) => void) {
    this.#inner = inner;
    this.#names = names;
    this.#tell = tell;
    names.opened = (program, lines) => this.#opened(program, lines);
  }

  get types(): readonly string[] {
    return this.#inner.types;
  }

  get chips(): readonly string[] | undefined {
    return this.#inner.chips;
  }

  get actions(): boolean {
    return this.#inner.actions ?? false;
  }

  list(): Promise<readonly Breakpoint[]> {
    return this.#inner.list();
  }

  async set(spec: BreakpointSpec): Promise<Breakpoint> {
    if (spec.keep) this.#requireKept(spec);
    const set = await this.#inner.set(spec);
    if (set.keep) await this.#save();
    return set;
  }

  async delete(id: number): Promise<void> {
    const isKept = (await this.#kept()).some((each) => each.id === id);
    await this.#inner.delete(id);
    if (isKept) await this.#save();
  }

  async change(id: number, change: BreakpointChange): Promise<Breakpoint> {
    const before = (await this.list()).find((each) => each.id === id);
    if (change.keep ?? before?.keep) this.#requireKept({ ...before, ...change });
    const changed = await this.#inner.change(id, change);
    if (changed.keep || before?.keep) await this.#save();
    return changed;
  }

  async #kept(): Promise<readonly Breakpoint[]> {
    return (await this.list()).filter(({ keep }) => keep);
  }

  #requireKept({ temporary, tree, cpu, type }: Asked): void {
    if (this.#names.program === undefined) {
      throw new MachineError('WRONG_STATE', 'No program is loaded to keep a breakpoint with.', [
        advice`Load one with ${call('program_run')} first.`,
        advice`Leave "keep" out.`,
      ]);
    }
    const never = temporary ? 'one that is there once' : tree ? 'a composite' : cpu ? `one of ${cpu}` : undefined;
    const what = never ?? (type === 'time' ? 'one in time' : undefined);
    if (what === undefined) return;
    throw new MachineError('INVALID_ARGUMENT', `A breakpoint like this, ${what}, is not kept.`, 'Leave "keep" out.');
  }

  async #save(): Promise<void> {
    const { program } = this.#names;
    if (!program) return;
    this.#owner = program;
    await this.#names.keep((await this.#kept()).map((each) => lineOf(each, program)));
  }

  /** Another program is there: its breakpoints take the place of those of the last one, before it runs. */
  #opened(program: NamedProgram, lines: readonly string[]): void {
    if (this.#owner?.hash === program.hash && this.#owner.first === program.first) return;
    const before = this.#owner;
    this.#owner = program;
    if (before === undefined && lines.length === 0) return;
    void this.#exchange(program, lines);
  }

  async #exchange(program: NamedProgram, lines: readonly string[]): Promise<void> {
    const problems: string[] = [];
    let count = 0;
    const note = (error: unknown) =>
      void problems.push(error instanceof MachineError ? error.message : 'it cannot be read');
    // All are set before the first of them is waited for: the program begins to run.
    const fresh = new Set<number>();
    const setting = lines.map((line) => {
      const { enabled = true, ...spec } = specOf(line, program) ?? {};
      if (spec.type === undefined || !this.types.includes(spec.type)) return note(undefined);
      const whole = spec as BreakpointSpec;
      return this.#inner.set(whole).then(async ({ id }) => {
        count++;
        fresh.add(id);
        if (!enabled) await this.#inner.change(id, { enabled });
      }, note);
    });
    await Promise.all(setting);
    for (const { id } of await this.#kept()) if (!fresh.has(id)) await this.#inner.delete(id);
    if (lines.length === 0) return;
    const lost = problems.length === 0 ? '' : `; ${problems.length} could not be set: ${problems[0]}`;
    this.#tell(`${count} breakpoint${count === 1 ? '' : 's'} kept with ${program.name} set again${lost}`);
  }
}

function lineOf(breakpoint: Breakpoint, program: NamedProgram): string {
  const { address, type, set } = breakpoint;
  const inside = placed.includes(type) && address >= program.first && address <= program.last;
  const at = inside ? `+${(address - program.first).toString(16)}` : `=${address.toString(16)}`;
  const rest = [...texts, ...flags, ...numbers].map((name) => [name, breakpoint[name]]);
  return JSON.stringify({ at, ...Object.fromEntries(rest), set });
}

type Read = { -readonly [Name in keyof BreakpointSpec]?: BreakpointSpec[Name] } & { enabled?: boolean };

/** Undefined for a line that cannot be understood: the file may have been edited by hand. */
function specOf(line: string, program: NamedProgram): Read | undefined {
  const read = parsed(line);
  if (!read) return undefined;
  const [, sign, digits] = /^([+=])([0-9a-f]{1,16})$/.exec(String(read['at'])) ?? [];
  if (sign === undefined || digits === undefined) return undefined;
  const spec: Read = {
    ...{ address: BigInt(`0x${digits}`) + (sign === '+' ? program.first : 0n), length: 1, keep: true },
    ...{ logOnly: false, temporary: false },
  };
  for (const name of texts) {
    const text = read[name];
    if (typeof text === 'string' && text.length <= mostChars) spec[name] = text;
  }
  for (const name of flags) {
    const flag = read[name];
    if (typeof flag === 'boolean') spec[name] = flag;
  }
  for (const name of numbers) {
    const number = read[name];
    if (Number.isSafeInteger(number) && Number(number) >= 0) spec[name] = Number(number);
  }
  const { set } = read;
  if (Array.isArray(set)) spec.set = set.filter((text) => typeof text === 'string' && text.length <= mostChars);
  return spec;
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const read: unknown = JSON.parse(line);
    return read !== null && typeof read === 'object' ? (read as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
