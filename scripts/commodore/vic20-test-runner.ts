import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fields } from '../../src/chips/mos6510/registers.ts';
import type { Expansion } from '../../src/machines/commodore/vic20/memory-expansion.ts';
import { Vic20Board } from '../../src/machines/commodore/vic20/vic20-board.ts';
import { readVic20Cartridge } from '../../src/machines/commodore/vic20/vic20-cartridge.ts';
import { vic20Model } from '../../src/machines/commodore/vic20/vic20-model.ts';
import { loadByKernal, typeText } from './kernal-load.ts';
import { romFoldersOfSuites } from './original-roms.ts';
import type { SuiteResult, SuiteTest } from './run-test.ts';

const readyCycles = 3_000_000;

/** Options of VICE's list and the RAM they stand for. */
const expansionsOf: Readonly<Record<string, Expansion>> = {
  'vic20-unexp': 'none',
  'vic20-8k': '8k',
  'vic20-32k': 'all',
};

/** The first of these folders with the ROMs, or its VIC20 as VICE has it. */
export function vic20RomFolder(
  folders = romFoldersOfSuites(),
): { readonly folder: string; readonly description: string } | { readonly problem: string } {
  const places = folders.split(',').filter(Boolean);
  const folder = places
    .flatMap((roms) => [roms, join(roms, 'VIC20'), join(roms, '../VIC20')])
    .find((each) =>
      Object.values(vic20Model.roms.images).every(({ names }) => names.some((name) => existsSync(join(each, name)))),
    );
  if (folder !== undefined) return { folder, description: 'original ROMs of the VIC-20' };
  const problem = `The suite needs the original ROMs of the VIC-20, which are not in ${places.join(', ') || 'any folder it knows'}. Name their folder with --roms or FRONTPANEL_ROMS: VICE's data folder, or its VIC20.`;
  return { problem };
}

/** The original ROMs of this folder; the KERNAL is that of the video standard where both are there. */
export function vic20Roms(folder: string, isNtsc: boolean) {
  const rom = (names: readonly string[]) => {
    const file = names.find((name) => existsSync(join(folder, name)));
    if (file === undefined) throw new Error(`${folder} lacks ${names.join(' and ')}`);
    return new Uint8Array(readFileSync(join(folder, file)));
  };
  const { basic, kernal, chargen } = vic20Model.roms.images;
  const kernals = isNtsc ? kernal.names.toReversed() : kernal.names;
  return { basic: rom(basic.names), kernal: rom(kernals), chargen: rom(chargen.names) };
}

/** Runs test programs on a VIC-20; boots a machine of each make once and starts every test from that moment. */
export class Vic20TestRunner {
  readonly #programs: string;
  readonly #roms: string;
  readonly #machines = new Map<string, { readonly board: Vic20Board; readonly ready: Uint8Array }>();

  constructor(programs: string, roms: string) {
    this.#programs = programs;
    this.#roms = roms;
  }

  run(test: SuiteTest): SuiteResult {
    const cartridge = test.mounts?.find(({ type }) => type === 'crt');
    const unknown = test.mounts?.find(({ type }) => type !== 'crt');
    if (unknown) throw new Error(`the VIC-20 runner cannot mount ${unknown.type}`);
    if (test.type !== 'exitcode') throw new Error('the VIC-20 runner judges by exit codes only');
    const board = cartridge ? this.#withCartridge(test, cartridge.path) : this.#machineFor(test);
    const start = board.cycles;
    if (test.prg !== undefined && !cartridge) {
      loadByKernal(board, new Uint8Array(readFileSync(join(this.#programs, test.prg))));
      typeText(board, 'RUN\r');
    }
    const ended = board.runUntilExit(test.timeoutCycles);
    const outcome = !ended ? 'timeout' : board.exitCode === 0 ? 'ok' : 'error';
    const jammed = outcome === 'timeout' && board.cpu.state[fields.jammed] ? ', jammed' : '';
    const detail = outcome === 'ok' ? '' : `${outcome}${ended ? ` $${board.exitCode?.toString(16)}` : jammed}`;
    return { passed: outcome === test.expect, detail, cycles: board.cycles - start };
  }

  #make(test: SuiteTest) {
    const needs = test.needs ?? [];
    const known = needs.every((need) => need in expansionsOf || need === 'geo512k' || need === 'cartridge');
    if (!known) throw new Error(`the VIC-20 runner does not know what ${needs.join(', ')} stands for`);
    const expansion = needs.map((need) => expansionsOf[need]).find((found) => found !== undefined) ?? 'none';
    const isNtsc = test.video === 'ntsc';
    return { expansion, geoRam: needs.includes('geo512k') ? 512 : 0, isNtsc };
  }

  #newBoard(test: SuiteTest): Vic20Board {
    const { expansion, geoRam, isNtsc } = this.#make(test);
    const roms = vic20Roms(this.#roms, isNtsc);
    return new Vic20Board({ roms, vic: isNtsc ? '6560' : '6561', expansion, geoRam, debugCart: true });
  }

  #withCartridge(test: SuiteTest, path: string): Vic20Board {
    const board = this.#newBoard(test);
    board.insertCartridge(readVic20Cartridge(new Uint8Array(readFileSync(join(this.#programs, path)))));
    board.powerUp();
    return board;
  }

  #machineFor(test: SuiteTest): Vic20Board {
    const make = JSON.stringify(this.#make(test));
    let machine = this.#machines.get(make);
    if (!machine) {
      const board = this.#newBoard(test);
      board.runCycles(readyCycles);
      machine = { board, ready: board.snapshot() };
      this.#machines.set(make, machine);
    }
    machine.board.restore(machine.ready);
    return machine.board;
  }
}
