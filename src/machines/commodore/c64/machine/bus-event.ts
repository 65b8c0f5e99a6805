import { disassemble } from '../../../../chips/mos6510/disassemble.ts';
import { fields, interruptRow } from '../../../../chips/mos6510/registers.ts';
import type { StopEvent } from '../../../../machine/state.ts';
import type { C64Board } from '../c64-board.ts';

/** An access of the processor as it happened. */
export interface BusAccess {
  readonly kind: 'read' | 'write';
  readonly address: number;
  /** The bank that answered. */
  readonly space: 'ram' | 'rom' | 'io' | 'cart';
  value: number;
  /** What was there before a write. */
  readonly old: number | undefined;
  cycle: number;
  /** Of the instruction that makes it, and its bytes, which it may be about to change. */
  readonly pc: number;
  readonly code: Uint8Array;
  readonly isInterrupt: boolean;
}

/** Writes are noted before they reach the memory. */
export function noteAccess(board: C64Board, kind: BusAccess['kind'], address: number, value: number): BusAccess {
  const { state } = board.cpu;
  const pc = state[fields.instructionPc];
  const step = state[fields.step];
  return {
    kind,
    address,
    space: kind === 'read' ? spaceRead(board, address) : spaceWritten(board, address),
    value,
    old: kind === 'read' ? undefined : beforeWrite(board, address),
    cycle: board.cycles,
    pc,
    code: codeAt(board, pc),
    isInterrupt: step >> 3 === interruptRow && (step & 7) !== 0,
  };
}

/** What a write to this address replaces: RAM also where ROM is read. */
export function beforeWrite(board: C64Board, address: number): number {
  const space = address < 2 ? 'cart' : spaceWritten(board, address);
  return board.peek(space === 'cart' ? 'cpu' : space, address);
}

export function eventOfAccess(access: BusAccess, nameOf: (address: number) => string | undefined): StopEvent {
  const { kind, address, space, value, old, cycle, pc, code, isInterrupt } = access;
  return {
    time: cycle,
    pc: BigInt(pc),
    instruction: isInterrupt ? 'interrupt' : disassemble(code, pc, nameOf).text,
    access: {
      kind,
      address: BigInt(address),
      space,
      value: BigInt(value),
      ...(old !== undefined && { old: BigInt(old) }),
      bytes: 1,
    },
  };
}

/** Before the instruction at `pc` runs. */
export function eventAt(board: C64Board, nameOf: (address: number) => string | undefined): StopEvent {
  const pc = board.cpu.state[fields.pc];
  return { time: board.cycles, pc: BigInt(pc), instruction: disassemble(codeAt(board, pc), pc, nameOf).text };
}

function codeAt(board: C64Board, pc: number): Uint8Array {
  return Uint8Array.from([0, 1, 2], (offset) => board.peek('cpu', (pc + offset) & 0xffff));
}

function spaceRead({ memory }: C64Board, address: number): BusAccess['space'] {
  const base = memory.reads[address >> 8] as number;
  if (address < 0x100 || base === 0) return 'ram';
  return base > 0 ? 'rom' : elsewhere(address);
}

function spaceWritten({ memory }: C64Board, address: number): 'ram' | 'io' | 'cart' {
  return address < 0x100 || (memory.writes[address >> 8] as number) >= 0 ? 'ram' : elsewhere(address);
}

function elsewhere(address: number): 'io' | 'cart' {
  return address >> 12 === 0xd ? 'io' : 'cart';
}
