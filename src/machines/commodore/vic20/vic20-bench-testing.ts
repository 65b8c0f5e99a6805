import { assemble } from '../assembler/assemble.ts';
import { KeyMatrix } from '../machine/key-matrix.ts';
import { vic20Roms } from '../roms/vic20-roms.generated.ts';
import { Vic20Board, type Vic20Options } from './vic20-board.ts';
import { vic20Model } from './vic20-model.ts';

const { columns, rows } = vic20Model.screen;
const screenCharacters = '@ABCDEFGHIJKLMNOPQRSTUVWXYZ[£]^_';
const matrix = new KeyMatrix(vic20Model.keys);

/** A VIC-20 with our ROMs and somebody at the keyboard. */
export class Vic20Bench {
  readonly board: Vic20Board;

  constructor(options: Partial<Vic20Options> = {}) {
    this.board = new Vic20Board({ roms: vic20Roms, ...options });
  }

  /** Runs from power-up to the first prompt. */
  boot(): this {
    this.until(() => this.isWaiting && this.text().endsWith('READY.'), 100);
    return this;
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

  hold(isDown: boolean, ...keys: readonly string[]): void {
    for (const key of keys) {
      const places = matrix.keysFor(key);
      if (!places) throw new Error(`no key is called ${key}`);
      for (const { column, row } of places) this.board.setKey(column, row, isDown);
    }
  }

  /** Presses keys together, then lets them go. */
  press(...keys: readonly string[]): void {
    this.hold(true, ...keys);
    this.frames(2);
    this.hold(false, ...keys);
    this.frames(2);
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

  /** Puts machine code into memory and starts it. */
  start(source: string): void {
    const { bytes, origin, errors } = assemble(source);
    if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('; '));
    this.board.ram.set(bytes, origin);
    this.board.cpu.jump(origin);
  }

  /** The screen's text: capitals for codes 1-26, reversed or not; ~ for graphics. */
  text(): string {
    const start = (this.board.ram[vic20Model.screenPageCell] ?? 0) << 8;
    const character = (code: number) => {
      const plain = code & 0x7f;
      if (plain < 32) return screenCharacters[plain] ?? '';
      return plain < 64 ? String.fromCharCode(plain) : '~';
    };
    return Array.from({ length: rows }, (_, row) =>
      Array.from(this.board.ram.subarray(start + row * columns, start + (row + 1) * columns), character)
        .join('')
        .trimEnd(),
    )
      .join('\n')
      .trimEnd();
  }
}
