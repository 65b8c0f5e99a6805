import { fields } from '../../../chips/mos6510/registers.ts';
import type { Vic2Model } from '../../../chips/vic2/models.ts';
import { assemble } from '../assembler/assemble.ts';
import { tokenise } from '../basic/tokenise.ts';
import { C64Board } from '../c64/c64-board.ts';
import { c64Model } from '../c64/c64-model.ts';
import { KeyMatrix } from '../machine/key-matrix.ts';
import { c64Roms } from './c64-roms.generated.ts';

const screenCharacters = '@ABCDEFGHIJKLMNOPQRSTUVWXYZ[£]^_';
const matrix = new KeyMatrix(c64Model.keys);

let first: { readonly bench: RomBench; readonly booted: Uint8Array } | undefined;

/** A C64 with our ROMs and somebody at the keyboard, for the tests of the ROMs. */
export class RomBench {
  readonly board: C64Board;

  constructor(vic: Vic2Model = '6569') {
    this.board = new C64Board({ roms: c64Roms, vic });
  }

  /** A bench that has come up to READY: always the same one, put back to that moment. */
  static ready(): RomBench {
    if (first === undefined) {
      const bench = new RomBench();
      bench.boot();
      first = { bench, booted: bench.board.snapshot() };
    } else {
      first.bench.board.restore(first.booted);
    }
    return first.bench;
  }

  get registers(): { readonly a: number; readonly x: number; readonly y: number; readonly c: number } {
    const { state } = this.board.cpu;
    return { a: state[fields.a], x: state[fields.x], y: state[fields.y], c: state[fields.c] };
  }

  /** Runs from power-up to the first prompt. */
  boot(): void {
    this.until(() => this.isWaiting && this.text().endsWith('READY.'), 60);
  }

  /** The cursor blinks: the machine waits for somebody to type. */
  get isWaiting(): boolean {
    return this.board.ram[0xcc] === 0;
  }

  frames(count: number): void {
    for (let i = 0; i < count; i += 1) this.board.runUntilFrame();
  }

  until(condition: () => boolean, maxFrames: number): void {
    for (let i = 0; i < maxFrames; i += 1) {
      if (condition()) return;
      this.board.runUntilFrame();
    }
    if (!condition()) throw new Error(`not within ${maxFrames} frames; the screen shows:\n${this.text()}`);
  }

  /** Presses keys together, then lets them go. */
  press(...names: string[]): void {
    this.hold(true, ...names);
    this.frames(2);
    this.hold(false, ...names);
    this.frames(2);
  }

  hold(isDown: boolean, ...names: string[]): void {
    for (const name of names) {
      const keys = matrix.keysFor(name);
      if (!keys) throw new Error(`no key is called ${name}`);
      for (const { column, row } of keys) this.board.setKey(column, row, isDown);
    }
  }

  type(text: string): void {
    for (const character of text) this.press(character);
  }

  /** Types a line, waits until the machine is ready for the next and gives the screen. */
  command(line: string, maxFrames = 600): string {
    this.type(`${line}\n`);
    this.frames(2);
    this.until(() => this.isWaiting, maxFrames);
    return this.text();
  }

  /** What a BASIC program prints: it is tokenised, put into memory and run on a clear screen. */
  run(program: string, maxFrames = 600): string {
    const { bytes, errors } = tokenise(program, { letters: 'upper' });
    if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('; '));
    this.board.ram.set(bytes.subarray(2), 0x0801);
    const end = 0x0801 + bytes.length - 2;
    for (const cell of [0x2d, 0x2f, 0x31]) this.board.ram.set([end & 255, end >> 8], cell);
    this.press('shift', 'home');
    this.board.ram.set([0x52, 0x55, 0x4e, 0x0d], 0x277);
    this.board.ram[0xc6] = 4;
    this.frames(2);
    this.until(() => this.isWaiting && this.board.ram[0xc6] === 0, maxFrames);
    return this.text()
      .replace(/^RUN\n/, '')
      .replace(/\n+READY\.$/, '');
  }

  /** Assembles machine code, calls it as a subroutine and gives the registers it leaves; then what ran before goes on. */
  call(source: string, maxCycles = 200_000): { a: number; x: number; y: number; c: number } {
    const { bytes, origin, errors } = assemble(`*= $c000\n${source}\n`);
    if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('; '));
    const { board } = this;
    board.ram.set(bytes, origin);
    const { state } = board.cpu;
    while (state[fields.step] !== 0) board.tick();
    const before = state.slice();
    const stop = 0xcfff;
    const stack = state[fields.s];
    board.ram[0x100 + stack] = (stop - 1) >> 8;
    board.ram[0x100 + ((stack - 1) & 255)] = (stop - 1) & 255;
    state[fields.s] = (stack - 2) & 255;
    board.cpu.jump(origin);
    if (!board.runUntilPc(stop, maxCycles)) throw new Error('the routine did not come back');
    const { registers } = this;
    state.set(before);
    return registers;
  }

  /** The screen's text: capitals for codes 1-26, reversed or not; ~ for graphics. */
  text(): string {
    const character = (code: number) => {
      const plain = code & 0x7f;
      if (plain < 32) return screenCharacters[plain] ?? '';
      return plain < 64 ? String.fromCharCode(plain) : '~';
    };
    const rows = Array.from({ length: 25 }, (_, row) =>
      Array.from(this.board.ram.subarray(0x400 + row * 40, 0x428 + row * 40), character)
        .join('')
        .trimEnd(),
    );
    return rows.join('\n').trimEnd();
  }
}
