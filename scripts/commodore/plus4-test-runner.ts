import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fields } from '../../src/chips/mos6510/registers.ts';
import { Plus4Board } from '../../src/machines/commodore/plus4/plus4-board.ts';
import { plus4Model } from '../../src/machines/commodore/plus4/plus4-model.ts';
import { functionRoms } from '../../src/machines/commodore/roms/search/plus4-rom-specs.ts';
import { basicPointers } from './differential/basic-program.ts';
import { romFoldersOfSuites } from './original-roms.ts';
import type { SuiteResult, SuiteTest } from './run-test.ts';

const readyCycles = 6_000_000;

/** The first of these folders with the ROMs, or its PLUS4 as VICE has it. */
export function plus4RomFolder(
  folders = romFoldersOfSuites(),
): { readonly folder: string; readonly description: string } | { readonly problem: string } {
  const places = folders.split(',').filter(Boolean);
  const folder = places
    .flatMap((roms) => [roms, join(roms, 'PLUS4'), join(roms, '../PLUS4')])
    .find((each) =>
      Object.values(plus4Model.roms.images).every(({ names }) => names.some((name) => existsSync(join(each, name)))),
    );
  if (folder !== undefined) return { folder, description: 'original ROMs of the Plus/4' };
  const problem = `The suite needs the original ROMs of the Plus/4, which are not in ${places.join(', ') || 'any folder it knows'}. Name their folder with --roms or FRONTPANEL_ROMS: VICE's data folder, or its PLUS4.`;
  return { problem };
}

/** The original ROMs of this folder, with what a Plus/4 has built in beside BASIC if it is there. */
export function plus4OriginalRoms(folder: string) {
  const read = (name: string) => new Uint8Array(readFileSync(join(folder, name)));
  const optional = (name: string) => (existsSync(join(folder, name)) ? read(name) : undefined);
  const { basic, kernal } = plus4Model.roms.images;
  return {
    basic: read(basic.names[0]),
    kernal: read(kernal.names[0]),
    functionLow: optional(functionRoms.low.names[0]),
    functionHigh: optional(functionRoms.high.names[0]),
  };
}

/** Runs test programs on a Plus/4, each from the moment at which it waits for somebody to type. */
export class Plus4TestRunner {
  readonly #programs: string;
  readonly #board: Plus4Board;
  #ready: Uint8Array | undefined;

  constructor(programs: string, roms: string) {
    this.#programs = programs;
    this.#board = new Plus4Board({ roms: plus4OriginalRoms(roms), debugCart: true });
  }

  run(test: SuiteTest): SuiteResult {
    if (test.type !== 'exitcode') throw new Error('the Plus/4 runner judges by exit codes only');
    if ((test.mounts ?? []).length > 0 || (test.needs ?? []).length > 0)
      throw new Error('the Plus/4 runner has a bare machine only');
    if (test.prg === undefined) throw new Error('the Plus/4 runner starts programs only');
    const board = this.#board;
    if (this.#ready) board.restore(this.#ready);
    else board.runCycles(readyCycles);
    this.#ready ??= board.snapshot();
    const start = board.cycles;
    this.#start(new Uint8Array(readFileSync(join(this.#programs, test.prg))));
    const ended = board.runUntilExit(test.timeoutCycles);
    const outcome = !ended ? 'timeout' : board.exitCode === 0 ? 'ok' : 'error';
    const jammed = outcome === 'timeout' && board.cpu.state[fields.jammed] ? ', jammed' : '';
    const detail = outcome === 'ok' ? '' : `${outcome}${ended ? ` $${board.exitCode?.toString(16)}` : jammed}`;
    return { passed: outcome === test.expect, detail, cycles: board.cycles - start };
  }

  /** Puts the program where LOAD would have put it, and types RUN. */
  #start(file: Uint8Array): void {
    const { ram } = this.#board;
    const address = (file[0] ?? 0) | ((file[1] ?? 0) << 8);
    const body = file.subarray(2);
    ram.set(body, address);
    const pointers = basicPointers(address, address + body.length);
    ram.set(pointers.bytes, pointers.address);
    const { start, count } = plus4Model.keyboardBuffer;
    ram.set(new TextEncoder().encode('RUN\r'), start);
    ram[count] = 4;
  }
}
