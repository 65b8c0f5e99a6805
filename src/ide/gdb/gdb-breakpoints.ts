import type { DebuggedMachine, SeenStop } from '../debugged-machine.ts';

/** By the digit of `Z0` to `Z4`. Access has no type of its own on most machines: it is one for each. */
const types: readonly (readonly string[])[] = [['exec'], ['exec'], ['write'], ['read'], ['read', 'write']];
const reasons = ['swbreak', 'hwbreak', 'watch', 'rwatch', 'awatch'] as const;
const mostBreakpoints = 1000;

/** The breakpoints of one debugger, under the numbers they have on the machine, where everybody sees them. */
export class GdbBreakpoints {
  readonly #machine: DebuggedMachine;
  /** By `TYPE,ADDRESS,LENGTH` in hexadecimal, as the protocol has it. */
  readonly #set = new Map<string, { readonly digit: number; readonly ids: readonly number[] }>();

  constructor(machine: DebuggedMachine) {
    this.#machine = machine;
  }

  /** Setting one twice is setting it once. */
  async insert(key: string): Promise<boolean> {
    const place = parse(key);
    if (!place || this.#set.size >= mostBreakpoints) return false;
    if (this.#set.has(key)) return true;
    const { digit, address, length } = place;
    const ids: number[] = [];
    this.#set.set(key, { digit, ids });
    for (const type of types[digit] ?? []) {
      const where = { type, address, ...(digit > 1 && { length }) };
      const { id } = await this.#machine.call('breakpoint_set', { ...where, options: { group: 'gdb' } });
      ids.push(Number(id));
    }
    return true;
  }

  async remove(key: string): Promise<void> {
    const known = this.#set.get(key);
    this.#set.delete(key);
    for (const id of known?.ids ?? []) {
      // An agent may have deleted it meanwhile.
      await this.#machine.call('breakpoint_delete', { id }).catch(() => {});
    }
  }

  async removeAll(): Promise<void> {
    for (const key of [...this.#set.keys()]) await this.remove(key);
  }

  /** Why it stopped, for a stop reply, where one of these is the reason. */
  reason({ breakpoint, event }: SeenStop): string | undefined {
    const [key, known] = [...this.#set].find(([, { ids }]) => ids.includes(breakpoint?.id ?? -1)) ?? [];
    if (key === undefined || known === undefined) return undefined;
    const name = reasons[known.digit];
    if (known.digit <= 1) return `${name}:;`;
    const address = event?.access?.address ?? `0x${key.split(',')[1]}`;
    return `${name}:${BigInt(address).toString(16)};`;
  }

  /** Whether there are watchpoints among them. */
  get haveAccess(): boolean {
    return [...this.#set.values()].some(({ digit }) => digit > 1);
  }
}

function parse(key: string) {
  const [, digit = '', address = '', length = ''] = /^([0-4]),([0-9a-f]{1,16}),([0-9a-f]{1,4})$/i.exec(key) ?? [];
  if (digit === '') return undefined;
  return { digit: Number(digit), address: `0x${address}`, length: Math.max(1, Number.parseInt(length, 16)) };
}
