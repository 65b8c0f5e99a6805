import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fields } from '../../src/chips/mos6510/registers.ts';
import { readCrt } from '../../src/formats/commodore/media/crt.ts';
import { g64OfP64, isP64 } from '../../src/formats/commodore/media/p64.ts';
import { C64Board } from '../../src/machines/commodore/c64/c64-board.ts';
import { cartridgeOf } from '../../src/machines/commodore/cartridges/cartridge-types.ts';
import { differingPixels } from './compare-picture.ts';
import type { OriginalRoms } from './original-roms.ts';
import { readPng } from './read-png.ts';
import { machineFor, type TestMachine } from './test-needs.ts';

/** One row of a test list, as in VICE's testbench. */
export interface SuiteTest {
  /** A C64 where nothing else is said. */
  readonly machine?: string;
  readonly dir: string;
  readonly name: string;
  readonly type: 'exitcode' | 'screenshot';
  readonly timeoutCycles: number;
  readonly opts: readonly string[];
  readonly video: 'any' | 'pal' | 'ntsc' | 'ntscold';
  readonly expect: 'ok' | 'timeout' | 'error';
  /** None where the test is a cartridge. */
  readonly prg?: string;
  readonly reference?: string;
  readonly vicii?: 'old' | 'new';
  readonly cia?: 'old' | 'new';
  readonly sid?: 'old' | 'new';
  /** What has to be inserted or plugged in. */
  readonly mounts?: readonly { readonly type: string; readonly path: string }[];
  readonly needs?: readonly string[];
  /** What it is counted under; else the first folder of its path. */
  readonly group?: string;
}

export interface SuiteResult {
  readonly passed: boolean;
  readonly detail: string;
  readonly cycles: number;
}

const readyCycles = 3_000_000;
/** Tests that the list calls unstable get as many tries, each so much later than the one before. */
const unstableTries = 3;
const laterCycles = 1_000_000;
/** Until the drive has noticed the disk. */
const diskSwapCycles = 1_000_000;
const loadRoutine = 0xf4a5;
const returnAddress = 0xf5a9;

/** Runs test programs; boots a machine of each make once and starts every test from that moment. */
export class TestRunner {
  readonly #programs: string;
  readonly #originals: OriginalRoms;
  readonly #machines = new Map<string, { readonly board: C64Board; readonly ready: Uint8Array }>();

  constructor(programs: string, originals: OriginalRoms) {
    this.#programs = programs;
    this.#originals = originals;
  }

  run(test: SuiteTest): SuiteResult {
    const isUnstable = test.opts.some((option) => option.includes('rerun on failure'));
    let result = this.#runAt(test, 0);
    for (let tried = 1; !result.passed && isUnstable && tried < unstableTries; tried += 1)
      result = this.#runAt(test, tried * laterCycles);
    return result;
  }

  #runAt(test: SuiteTest, waited: number): SuiteResult {
    const machine = machineFor(test);
    const board = machine.cartridge ? this.#withCartridge(machine, test) : this.#ready(machine);
    if (machine.disk) {
      board.drives.attach(8, diskImage(this.#file(machine.disk)));
      board.runCycles(diskSwapCycles);
    }
    board.runCycles(waited);
    const start = board.cycles;
    if (test.prg !== undefined) load(board, this.#file(test.prg), test.name);
    const ended = board.runUntilExit(test.timeoutCycles);
    const cycles = board.cycles - start;
    return { ...this.#judge(test, board, ended), cycles };
  }

  #file(path: string): Uint8Array {
    return new Uint8Array(readFileSync(join(this.#programs, path)));
  }

  #judge(test: SuiteTest, board: C64Board, ended: boolean): { passed: boolean; detail: string } {
    if (test.type === 'screenshot') {
      // A program that reports does so in the middle of a frame: let the picture become whole.
      if (ended) board.runUntilFrame();
      if (ended) board.runUntilFrame();
      if (!test.reference) return { passed: false, detail: 'no reference picture' };
      const reference = readPng(readFileSync(join(this.#programs, test.reference)));
      const different = differingPixels(board.visibleFrame(), reference);
      const outcome = different === 0 ? 'ok' : 'error';
      return { passed: outcome === test.expect, detail: different === 0 ? '' : `${different} pixels differ` };
    }
    const outcome = !ended ? 'timeout' : board.exitCode === 0 ? 'ok' : 'error';
    const jammed = outcome === 'timeout' && board.cpu.state[fields.jammed] ? ', jammed' : '';
    const code = ended && board.exitCode !== 0 ? ` $${board.exitCode?.toString(16)}` : '';
    return { passed: outcome === test.expect, detail: outcome === 'ok' ? '' : `${outcome}${code}${jammed}` };
  }

  #newBoard({ vic, cia, sid, isDriveConnected, reu, geoRam, expansions }: TestMachine): C64Board {
    const { roms, driveRoms } = this.#originals;
    if (isDriveConnected && !driveRoms['1541'])
      throw new Error('needs a 1541: its ROM, in DRIVES beside the folder of the others');
    const board = new C64Board({ roms, vic, cia, sid, debugCart: true, driveRoms, reu, geoRam, ...expansions });
    if (isDriveConnected) board.drives.connect(8);
    return board;
  }

  /** Switched on with the cartridge in it; a program beside it is loaded when BASIC is ready. */
  #withCartridge(machine: TestMachine, { prg }: SuiteTest): C64Board {
    const board = this.#newBoard(machine);
    const crt = readCrt(this.#file(machine.cartridge ?? ''));
    board.insertCartridge(cartridgeOf(crt, board.cartridgeState, board.drives.shelf));
    board.powerUp();
    if (prg !== undefined) board.runCycles(readyCycles);
    return board;
  }

  #ready(machine: TestMachine): C64Board {
    const make = JSON.stringify({ ...machine, disk: undefined });
    let known = this.#machines.get(make);
    if (!known) {
      const board = this.#newBoard(machine);
      board.runCycles(readyCycles);
      known = { board, ready: board.snapshot() };
      this.#machines.set(make, known);
    }
    known.board.restore(known.ready);
    return known.board;
  }
}

/** Types LOAD as a person would, puts the program where the KERNAL would have put it, and types RUN. */
function load(board: C64Board, file: Uint8Array, name: string): void {
  const stem = name
    .replace(/\.prg$/, '')
    .toUpperCase()
    .slice(0, 16);
  type(board, `LOAD"${stem}",8\r`);
  if (!board.runUntilPc(loadRoutine, 3_000_000)) throw new Error('the KERNAL did not get to LOAD');
  const address = (file[0] ?? 0) | ((file[1] ?? 0) << 8);
  const body = file.subarray(2);
  for (let i = 0; i < body.length; i += 1) board.ram[(address + i) & 0xffff] = body[i] ?? 0;
  const end = (address + body.length) & 0xffff;
  // A load over the serial bus leaves end-of-file, the time-out timer run down, and the bus released.
  board.ram[0x90] = 0x40;
  board.write(0xdc07, 0x04);
  board.write(0xdc0f, 0x19);
  board.write(0xdd00, 0xc7);
  board.ram[0xae] = end & 255;
  board.ram[0xaf] = end >> 8;
  const { state } = board.cpu;
  state[fields.x] = end & 255;
  state[fields.y] = end >> 8;
  state[fields.c] = 0;
  board.cpu.jump(returnAddress);
  board.runCycles(200_000);
  type(board, 'RUN\r');
}

/** Feeds the KERNAL's keyboard buffer, which takes ten characters at a time. */
function type(board: C64Board, text: string): void {
  for (let at = 0; at < text.length; at += 10) {
    const part = text.slice(at, at + 10);
    for (let wait = 0; board.ram[0xc6] !== 0 && wait < 500; wait += 1) board.runCycles(2_000);
    for (let i = 0; i < part.length; i += 1) board.ram[0x277 + i] = part.charCodeAt(i);
    board.ram[0xc6] = part.length;
  }
}

/** As the drive takes it. */
function diskImage(file: Uint8Array): Uint8Array {
  if (!isP64(file)) return file;
  const steps = g64OfP64(file);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
