import type { Core } from './core.ts';
import type { Instruction } from './instruction.ts';
import type { Watch } from './memory.ts';
import { attention } from './operations/operation.ts';
import { fields } from './registers.ts';

const debugException = 1;
const isExecuted = 0;
const isWritten = 1;
const isAccessed = 3;
const lengths = [1, 2, 4, 4] as const;

/** Bits of DR6 beside those of the four breakpoints. */
export const debugStatus = { access: 0x2000, step: 0x4000, task: 0x8000 } as const;
/** Of DR7: registers may not be used; and what a task has for itself. */
const guarded = 0x2000;
const localBits = 0x155;

interface DataBreakpoint extends Watch {
  /** Its bit in DR6. */
  readonly bit: number;
}

/** Breakpoints that programs set for themselves: what follows from DR0 to DR3 and DR7. With none enabled nobody asks. */
export class DebugRegisters {
  readonly #core: Core;
  /** Bits of DR6 by the linear address of an instruction. */
  #code = new Map<number, number>();
  #data: readonly DataBreakpoint[] = [];
  readonly #seen = new Int32Array(6);
  /** Called when other instructions than before have breakpoints. */
  onCode: (before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>) => void = () => undefined;
  /** The next instruction runs whatever breakpoint it has. */
  isResuming = false;

  constructor(core: Core) {
    this.#core = core;
    core.memory.onDebug = (linear, kind) => this.#touched(linear, 1, kind);
  }

  get hasCode(): boolean {
    return this.#code.size > 0;
  }

  get hasData(): boolean {
    return this.#data.length > 0;
  }

  /** Reads count too. */
  get hasReads(): boolean {
    return this.#data.some(({ kind }) => kind === 'read');
  }

  hasCodeAt(linear: number): boolean {
    return this.#code.has(linear);
  }

  /** Takes the registers as they are now. */
  refresh(): void {
    const { words, isPaged } = this.#core;
    const seen = this.#seen;
    const dr7 = words[fields.dr7];
    const paged = isPaged ? 1 : 0;
    if (seen[0] === dr7 && (dr7 & 0xff) === 0) return;
    let isSame = seen[0] === dr7 && seen[5] === paged;
    for (let n = 0; n < 4; n += 1) isSame &&= seen[n + 1] === words[fields.dr0 + n];
    if (isSame) return;
    seen.set([dr7, ...words.subarray(fields.dr0, fields.dr3 + 1), paged]);
    this.#arm(dr7);
  }

  #arm(dr7: number): void {
    const { words, isPaged, memory, paging } = this.#core;
    const code = new Map<number, number>();
    const data: DataBreakpoint[] = [];
    for (let n = 0; n < 4; n += 1) {
      if (!((dr7 >> (n * 2)) & 3)) continue;
      const kind = (dr7 >> (16 + n * 4)) & 3;
      const bytes = lengths[((dr7 >> (18 + n * 4)) & 3) as 0 | 1 | 2 | 3];
      const address = words[fields.dr0 + n] >>> 0;
      const bit = 1 << n;
      if (kind === isExecuted) {
        code.set(address, (code.get(address) ?? 0) | bit);
        continue;
      }
      const first = (address & -bytes) >>> 0;
      const last = first + bytes - 1;
      if (kind === isWritten || kind === isAccessed) data.push({ first, last, kind: 'write', bit });
      if (kind === isAccessed) data.push({ first, last, kind: 'read', bit });
    }
    const before = this.#code;
    this.#code = code;
    this.#data = data;
    memory.setDebugged(isPaged ? [] : data);
    paging.setDebugged(isPaged ? data : []);
    if (before.size > 0 || code.size > 0) this.onCode(before, code);
    // Who runs now takes care of it from the next instruction on.
    const { attention: pending } = this.#core;
    pending[0] = pending[0] | attention.interrupts;
  }

  /** An access where pages are. */
  accessed(linear: number, bytes: number, isWrite: boolean): void {
    if (this.#data.length > 0) this.#touched(linear, bytes, isWrite ? 'write' : 'read');
  }

  #touched(linear: number, bytes: number, how: 'read' | 'write'): void {
    const { words, attention: pending } = this.#core;
    for (const { first, last, kind, bit } of this.#data) {
      if (kind !== how || linear > last || linear + bytes <= first) continue;
      words[fields.debugTrap] = words[fields.debugTrap] | bit;
      pending[0] = pending[0] | attention.interrupts;
    }
  }

  /** Has an instruction fail before it runs, if there is a breakpoint. */
  guard(node: Instruction): void {
    if (!this.#code.has(node.linear)) return;
    const { run } = node;
    const core = this.#core;
    node.code = 0;
    node.run = (instruction) => {
      const isPassed = this.isResuming;
      this.isResuming = false;
      const bits = this.#code.get(instruction.linear);
      if (bits !== undefined && !isPassed) this.fail(bits);
      core.words[fields.eip] = instruction.ip;
      return run(instruction);
    };
  }

  /** What was met, for the handler to read. */
  report(bits: number): void {
    const { words, rules } = this.#core;
    if (rules.generation < 3) return;
    words[fields.dr6] = words[fields.dr6] | bits;
    words[fields.dr7] = words[fields.dr7] & ~guarded;
  }

  /** A debug fault: before the instruction. */
  fail(bits: number): never {
    this.report(bits);
    this.#core.fault(debugException);
  }

  /** MOV from and to the registers. */
  checkAccess(): void {
    if (this.#core.words[fields.dr7] & guarded) this.fail(debugStatus.access);
  }

  /** Breakpoints of a task end with it. */
  taskSwitched(): void {
    const { words } = this.#core;
    words[fields.dr7] = words[fields.dr7] & ~localBits;
    this.refresh();
  }
}
