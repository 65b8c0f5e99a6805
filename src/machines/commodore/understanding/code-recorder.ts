import { type Opcode, opcodes } from '../../../chips/mos6510/opcodes.ts';
import { fields, type Mos6510State } from '../../../chips/mos6510/registers.ts';
import type { EdgeType } from '../../../machine/graph.ts';
import type { CommodoreBoard } from '../board/commodore-board.ts';

/** A place in code: its address, and above that whether RAM or something else answered there. */
export type CodeId = number;

const places = 0x20000;
const elsewhere = 0x10000;
const opcode = { brk: 0x00, jsr: 0x20, rti: 0x40, rts: 0x60 } as const;
const mostOpenCalls = 256;
/** More than any program of 64 K has; a loop through random memory must not take more. */
const mostEdges = 100_000;

export interface RecordedFunction {
  calls: number;
  /** By the place of the call. */
  readonly callers: Map<CodeId, number>;
  aligned: number;
  misaligned: number;
  /** It was entered by an interrupt. */
  isHandler: boolean;
}

export interface RecordedEdge {
  readonly type: EdgeType;
  readonly from: CodeId;
  readonly to: CodeId;
  count: number;
}

interface OpenCall {
  readonly kind: 'call' | 'interrupt';
  readonly from: CodeId;
  readonly target: CodeId;
  readonly returnTo: number;
  /** The stack pointer before anything was pushed. */
  readonly s: number;
}

/** Watches a processor before each instruction, and knows what ran, how often, and what led where. */
export class CodeRecorder {
  /** By place. */
  readonly executions = new Uint32Array(places);
  readonly opcodes = new Uint8Array(places);
  /** How often the next instruction in memory came next. */
  readonly passedOn = new Uint32Array(places);
  readonly functions = new Map<CodeId, RecordedFunction>();
  readonly edges = new Map<string, RecordedEdge>();
  readonly entries = new Set<CodeId>();
  readonly #board: CommodoreBoard;
  readonly #state: Mos6510State;
  #open: OpenCall[] = [];
  #last: CodeId | undefined;
  /** Looked at, and not counted yet. */
  #waiting: CodeId | undefined;
  #lastS = 0;
  #interrupts = 0;
  /** The moment of the last look: an instruction that was only looked at is looked at again when it runs. */
  #lookedAt = -1;

  constructor(board: CommodoreBoard) {
    this.#board = board;
    this.#state = board.cpu.state;
  }

  get last(): CodeId | undefined {
    return this.#last;
  }

  /** Interrupts that are being served, the innermost last. */
  get handlers(): readonly CodeId[] {
    return this.#open.filter(({ kind }) => kind === 'interrupt').map(({ target }) => target);
  }

  look(): void {
    const board = this.#board;
    const { cycles } = board;
    if (cycles === this.#lookedAt) return;
    this.settle();
    this.#lookedAt = cycles;
    const pc = this.#state[fields.pc];
    const id = (board.memory.reads[pc >> 8] === 0 ? 0 : elsewhere) | pc;
    if (this.#last === undefined) this.entries.add(id);
    else this.#note(this.#last, id, pc);
    this.#waiting = id;
    this.opcodes[id] = board.peek('cpu', pc);
    this.#last = id;
    this.#lastS = this.#state[fields.s];
    this.#interrupts = this.#taken;
  }

  /** The instruction that was looked at last counts once time has passed: something may have kept it from running. */
  settle(): void {
    if (this.#waiting === undefined || this.#board.cycles === this.#lookedAt) return;
    this.executions[this.#waiting] = (this.executions[this.#waiting] ?? 0) + 1;
    this.#waiting = undefined;
  }

  /** What comes next does not follow from what was last. */
  breakOff(): void {
    this.#last = undefined;
    this.#waiting = undefined;
    this.#lookedAt = -1;
    this.#open = [];
  }

  get #taken(): number {
    return this.#state[fields.irqCount] + this.#state[fields.nmiCount];
  }

  #note(from: CodeId, to: CodeId, pc: number): void {
    const code = this.opcodes[from] as number;
    if (this.#taken !== this.#interrupts || code === opcode.brk) {
      this.#call('interrupt', from, to, 0);
      return;
    }
    const length = (opcodes[code] as Opcode).length;
    if (code === opcode.jsr) {
      this.#edge('call', from, to);
      this.#call('call', from, to, ((from & 0xffff) + 3) & 0xffff);
    } else if (code === opcode.rts || code === opcode.rti) this.#return(from, to, pc);
    else if (to === from + length) this.passedOn[from] = (this.passedOn[from] ?? 0) + 1;
    else this.#edge('normal', from, to);
  }

  #call(kind: OpenCall['kind'], from: CodeId, target: CodeId, returnTo: number): void {
    const known = this.functions.get(target) ?? {
      calls: 0,
      callers: new Map(),
      aligned: 0,
      misaligned: 0,
      isHandler: false,
    };
    this.functions.set(target, known);
    known.calls++;
    if (kind === 'interrupt') {
      known.isHandler = true;
      this.entries.add(target);
    } else known.callers.set(from, (known.callers.get(from) ?? 0) + 1);
    if (this.#open.length >= mostOpenCalls) this.#open.shift();
    this.#open.push({ kind, from, target, returnTo, s: this.#lastS });
  }

  #return(from: CodeId, to: CodeId, pc: number): void {
    const s = this.#state[fields.s];
    // Calls whose return address was thrown away never return.
    while ((this.#open.at(-1)?.s ?? 0x100) < s) this.#open.pop();
    const call = this.#open.at(-1)?.s === s ? this.#open.pop() : undefined;
    if (call?.kind === 'interrupt') {
      const handler = this.functions.get(call.target);
      if (handler) handler.aligned++;
      return;
    }
    if (!call) {
      this.#edge(this.#isReturn(from, pc) ? 'return' : 'misaligned-return', from, to);
      return;
    }
    const known = this.functions.get(call.target);
    if (known && call.returnTo === pc) known.aligned++;
    else if (known) known.misaligned++;
    // Parameters may lie after the call: it comes back after them.
    this.#edge('return', from, to);
    this.#edge('call-to-return', call.from, to);
  }

  /** Of one whose call nobody saw: it came before the first look. Others are jumps to what was pushed. */
  #isReturn(from: CodeId, pc: number): boolean {
    return this.opcodes[from] === opcode.rti || this.#board.peek('cpu', (pc - 3) & 0xffff) === opcode.jsr;
  }

  #edge(type: EdgeType, from: CodeId, to: CodeId): void {
    const key = `${type} ${from} ${to}`;
    const known = this.edges.get(key);
    if (known) known.count++;
    else if (this.edges.size < mostEdges) this.edges.set(key, { type, from, to, count: 1 });
  }
}

export function addressOfId(id: CodeId): number {
  return id & 0xffff;
}

/** Whether something other than RAM answered there. */
export function isElsewhere(id: CodeId): boolean {
  return id >= elsewhere;
}
