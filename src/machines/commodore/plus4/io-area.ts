import type { Acia6551 } from '../../../chips/acia6551/acia6551.ts';
import type { TedSound } from '../../../chips/ted/sound.ts';
import type { Ted } from '../../../chips/ted/ted.ts';
import type { KeyboardLatch } from './keyboard-latch.ts';
import type { MemoryMap } from './memory-map.ts';
import { plus4Model } from './plus4-model.ts';
import { type BoardState, boardFields as b } from './plus4-state.ts';
import type { ProcessorPort } from './processor-port.ts';

const { exitRegister } = plus4Model;
const tapeSenseBit = 4;

interface Parts {
  readonly ted: Ted;
  readonly sound: TedSound;
  /** A C16 has none, nor a chip at the user port. */
  readonly acia: Acia6551 | undefined;
  readonly port: ProcessorPort;
  readonly keyboard: KeyboardLatch;
  readonly memory: MemoryMap;
  readonly board: BoardState;
  /** The byte that was last on the bus. */
  busByte(): number;
  isSingleClock(): boolean;
  /** The TED fetches from other places than before. */
  tedLooksElsewhere(): void;
  /** Which memory the processor sees has changed. */
  rebank(): void;
  catchUpAcia(): void;
  catchUpSound(): void;
  /** Brings drives up to date before their lines are read. */
  catchUpDrives(): void;
  /** $FDCF, where test programs leave their exit codes; undefined without such a register. */
  readonly exit: ((code: number) => void) | undefined;
}

/** What answers the processor where no plain memory does: its port, chips, mirrors of RAM, or nothing. */
export class IoArea {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  read(address: number): number {
    const parts = this.#parts;
    if (address < 2) {
      parts.catchUpDrives();
      return parts.port.read(address);
    }
    if (address >> 4 === 0xfd0 && parts.acia) {
      parts.catchUpAcia();
      return parts.acia.read(address & 3);
    }
    return this.peek(address);
  }

  peek(address: number): number {
    const { ted, acia, port, memory, board } = this.#parts;
    if (address < 2) return port.read(address);
    if (address >= 0xff00 && address < 0xff20) return ted.peek(address & 31);
    if (address >= 0xfd00 && address < 0xff00) {
      switch (address >> 4) {
        case 0xfd0:
          return acia?.peek(address & 3) ?? this.#open(address);
        case 0xfd1:
          return this.#userPort(address);
        case 0xfd3:
          return board[b.columns];
        default:
          return this.#open(address);
      }
    }
    if (memory.isRom(address)) return memory.rom(address) ?? this.#open(address);
    if (address === 0xff3e || address === 0xff3f) return 0xff;
    return memory.bytes[address & memory.ramMask] as number;
  }

  /**
   * Nobody answers: the bus keeps its last byte. While the clock is single that is what the TED has fetched in between; else the
   * processor's own, which is nearly always the upper half of the address.
   */
  #open(address: number): number {
    return this.#parts.isSingleClock() ? this.#parts.busByte() : address >> 8;
  }

  /** Without a chip there is only the datasette's switch. */
  #userPort(address: number): number {
    const { acia, board } = this.#parts;
    const pins = acia ? board[b.userPort] & board[b.userPins] : this.#open(address) | tapeSenseBit;
    return board[b.tapeSense] !== 0 ? pins & ~tapeSenseBit : pins;
  }

  write(address: number, value: number): void {
    const { memory, port } = this.#parts;
    if (address >= 0xfd00 && address < 0xff20) {
      this.#writeChips(address, value);
      return;
    }
    if (address === 0xff3e || address === 0xff3f) {
      this.#parts.ted.selectRom(address === 0xff3e);
      this.#parts.rebank();
      return;
    }
    memory.bytes[address & memory.ramMask] = value;
    if (address < 2) port.write(address, value);
  }

  #writeChips(address: number, value: number): void {
    const parts = this.#parts;
    const { board, acia } = parts;
    if (address >= 0xff00) {
      this.#writeTed(address & 31, value);
      return;
    }
    if (address === exitRegister) parts.exit?.(value);
    switch (address >> 4) {
      case 0xfd0:
        parts.catchUpAcia();
        acia?.write(address & 3, value);
        break;
      case 0xfd1:
        board[b.userPort] = value;
        break;
      case 0xfd3:
        board[b.columns] = value;
        break;
      case 0xfdd:
        board[b.romBank] = address & 15;
        parts.rebank();
    }
  }

  #writeTed(register: number, value: number): void {
    const { ted, sound, keyboard } = this.#parts;
    ted.write(register, value);
    if (register === 6 || (register >= 0x12 && register <= 0x14)) this.#parts.tedLooksElsewhere();
    if (register === 8) ted.latchKeyboard(keyboard.rows(value));
    if (register < 0x0e || register > 0x12) return;
    this.#parts.catchUpSound();
    sound.write(register, value);
  }
}
