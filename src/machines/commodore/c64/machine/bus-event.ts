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
  readonly isInterrupt: boolean;
}

/** Writes are noted before they reach the memory. */
export function noteAccess(board: C64Board, kind: BusAccess['kind'], address: number, value: number): BusAccess {
  return {
    kind,
    address,
    space: kind === 'read' ? spaceRead(board, address) : spaceWritten(board, address),
    value,
    old: kind === 'read' ? undefined : beforeWrite(board, address),
    cycle: board.cycles,
    isInterrupt: board.cpu.state[fields.step] >> 3 === interruptRow,
  };
}

/** What a write to this address replaces: RAM also where ROM is read. */
export function beforeWrite(board: C64Board, address: number): number {
  const space = address < 2 ? 'cart' : spaceWritten(board, address);
  return board.peek(space === 'cart' ? 'cpu' : space, address);
}

/** Asked at the end of the instruction that made the access. */
export function eventOfAccess(
  board: C64Board,
  access: BusAccess,
  nameOf: (address: number) => string | undefined,
): StopEvent {
  const { kind, address, space, value, old, cycle, isInterrupt } = access;
  const pc = board.cpu.state[fields.instructionPc];
  // An instruction that has written over itself was another one when it was fetched.
  const fetched = Uint8Array.from([0, 1, 2], (offset) => {
    const at = (pc + offset) & 0xffff;
    return at === address && old !== undefined && space === spaceRead(board, at) ? old : board.peek('cpu', at);
  });
  return {
    time: cycle,
    pc: BigInt(pc),
    instruction: isInterrupt ? 'interrupt' : disassemble(fetched, pc, nameOf).text,
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
  const bytes = Uint8Array.from([0, 1, 2], (offset) => board.peek('cpu', (pc + offset) & 0xffff));
  return { time: board.cycles, pc: BigInt(pc), instruction: disassemble(bytes, pc, nameOf).text };
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
