import { readsProgram } from '../../../chips/mos6510/cycles.generated.ts';
import { disassemble } from '../../../chips/mos6510/disassemble.ts';
import { fields, interruptRow, type Mos6510State } from '../../../chips/mos6510/registers.ts';
import type { Beam, StopEvent } from '../../../machine/state.ts';
import type { ChipRegister, CommodoreBoard } from '../board/commodore-board.ts';
import type { CommodoreModel } from './commodore-model.ts';

type IoSpan = CommodoreModel['io'];

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
  beam: Beam;
  /** The chip that answered, if one did. */
  readonly chip: ChipRegister | undefined;
  /** Of the instruction that makes it, and its bytes, which it may be about to change. */
  readonly pc: number;
  readonly code: Uint8Array;
  readonly isInterrupt: boolean;
}

/** Whether a read is the program's own: of an opcode, an operand, or in vain of the byte after them. While DMA reads, the processor has to wait. */
export function isOwnRead(state: Mos6510State, address: number): boolean {
  return address === state[fields.pc] && state[fields.rdy] !== 0 && readsProgram(state);
}

/** Writes are noted before they reach the memory. */
export function noteAccess(
  board: CommodoreBoard,
  io: IoSpan,
  kind: BusAccess['kind'],
  address: number,
  value: number,
): BusAccess {
  const { state } = board.cpu;
  const pc = state[fields.instructionPc];
  const step = state[fields.step];
  return {
    kind,
    address,
    space: kind === 'read' ? spaceRead(board, io, address) : spaceWritten(board, io, address),
    value,
    old: kind === 'read' ? undefined : beforeWrite(board, io, address),
    cycle: board.cycles,
    beam: beamOf(board),
    chip: board.chipsReached(kind, address)[0],
    pc,
    code: codeAt(board, pc),
    isInterrupt: step >> 3 === interruptRow && (step & 7) !== 0,
  };
}

/** INC and its kin write twice: the old value, then the new one. */
export function noteAgain(
  board: CommodoreBoard,
  access: BusAccess,
  kind: BusAccess['kind'],
  address: number,
  value: number,
): void {
  if (access.kind !== kind || access.address !== address) return;
  access.value = value;
  access.cycle = board.cycles;
  access.beam = beamOf(board);
}

/** What a write to this address replaces: RAM also where ROM is read. */
export function beforeWrite(board: CommodoreBoard, io: IoSpan, address: number): number {
  const space = address < 2 ? 'cart' : spaceWritten(board, io, address);
  return board.peek(space === 'cart' || space === 'rom' ? 'cpu' : space, address);
}

export function eventOfAccess(access: BusAccess, nameOf: (address: number) => string | undefined): StopEvent {
  const { kind, address, space, value, old, cycle, beam, chip, pc, code, isInterrupt } = access;
  return {
    time: cycle,
    beam,
    pc: BigInt(pc),
    instruction: isInterrupt ? 'interrupt' : disassemble(code, pc, nameOf).text,
    access: {
      kind,
      address: BigInt(address),
      space,
      value: BigInt(value),
      ...(old !== undefined && { old: BigInt(old) }),
      bytes: 1,
      ...(chip && { chip: { name: chip.chip, register: chip.register } }),
    },
  };
}

/** Before the next instruction runs, or within the one under way. */
export function eventAt(
  board: CommodoreBoard,
  nameOf: (address: number) => string | undefined,
): StopEvent & { readonly time: number } {
  const { state } = board.cpu;
  const isInside = (state[fields.step] & 7) !== 0;
  const isInterrupt = isInside && state[fields.step] >> 3 === interruptRow;
  const pc = isInside ? state[fields.instructionPc] : state[fields.pc];
  return {
    time: board.cycles,
    beam: beamOf(board),
    pc: BigInt(pc),
    instruction: isInterrupt ? 'interrupt' : disassemble(codeAt(board, pc), pc, nameOf).text,
  };
}

export function beamOf({ frameCount, rasterLine, rasterCycle }: CommodoreBoard): Beam {
  return { frame: frameCount, line: rasterLine, cycle: rasterCycle };
}

function codeAt(board: CommodoreBoard, pc: number): Uint8Array {
  return Uint8Array.from([0, 1, 2], (offset) => board.peek('cpu', (pc + offset) & 0xffff));
}

/** The bank that answers a read. */
export function spaceRead({ memory }: CommodoreBoard, io: IoSpan, address: number): BusAccess['space'] {
  const base = memory.reads[address >> 8] as number;
  if (address < 0x100 || base === 0) return 'ram';
  if (base < 0) return elsewhere(io, address);
  return memory.isCartridge(address) ? 'cart' : 'rom';
}

/** The bank that a write goes to, or would go to if it could be written. */
export function spaceWritten(board: CommodoreBoard, io: IoSpan, address: number): BusAccess['space'] {
  if (address < 0x100 || (board.memory.writes[address >> 8] as number) >= 0) return 'ram';
  return spaceRead(board, io, address) === 'rom' ? 'rom' : elsewhere(io, address);
}

function elsewhere({ first, last }: IoSpan, address: number): 'io' | 'cart' {
  return address >= first && address <= last ? 'io' : 'cart';
}
