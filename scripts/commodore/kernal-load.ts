import { fields, type Mos6510State } from '../../src/chips/mos6510/registers.ts';

/** What is needed of a machine whose KERNAL has the usual cells. */
interface LoadingBoard {
  readonly ram: Uint8Array;
  readonly cpu: { readonly state: Mos6510State; jump(address: number): void };
  runCycles(cycles: number): void;
  runUntilPc(address: number, maxCycles: number): boolean;
}

const loadVector = 0x330;
const waitCycles = 3_000_000;

/** Types LOAD as a person would and puts the program where the KERNAL would have put it: at the start of BASIC. */
export function loadByKernal(board: LoadingBoard, file: Uint8Array): void {
  const { ram, cpu } = board;
  typeText(board, 'LOAD"*",8\r');
  const routine = (ram[loadVector] ?? 0) | ((ram[loadVector + 1] ?? 0) << 8);
  if (!board.runUntilPc(routine, waitCycles)) throw new Error('the KERNAL did not get to LOAD');
  const body = file.subarray(2);
  const start = (ram[0xc3] ?? 0) | ((ram[0xc4] ?? 0) << 8);
  for (let i = 0; i < body.length; i += 1) ram[(start + i) & 0xffff] = body[i] ?? 0;
  const end = (start + body.length) & 0xffff;
  // A load over the serial bus leaves end-of-file.
  ram[0x90] = 0x40;
  ram[0xae] = end & 255;
  ram[0xaf] = end >> 8;
  cpu.state[fields.x] = end & 255;
  cpu.state[fields.y] = end >> 8;
  cpu.state[fields.c] = 0;
  returnFromSubroutine(board);
  board.runCycles(200_000);
}

function returnFromSubroutine({ ram, cpu }: LoadingBoard): void {
  const pull = () => {
    const s = (cpu.state[fields.s] + 1) & 255;
    cpu.state[fields.s] = s;
    return ram[0x100 | s] ?? 0;
  };
  const low = pull();
  cpu.jump((low | (pull() << 8)) + 1);
}

/** Feeds the KERNAL's keyboard buffer, which takes ten characters at a time. */
export function typeText(board: LoadingBoard, text: string): void {
  for (let at = 0; at < text.length; at += 10) {
    const part = text.slice(at, at + 10);
    for (let wait = 0; board.ram[0xc6] !== 0 && wait < 500; wait += 1) board.runCycles(2_000);
    for (let i = 0; i < part.length; i += 1) board.ram[0x277 + i] = part.charCodeAt(i);
    board.ram[0xc6] = part.length;
  }
}
