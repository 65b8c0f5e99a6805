import type { GuestMemory } from '../../guest.ts';
import type { CallRegisters, GuestAnswer, GuestCall, GuestCalls } from '../guest-calls.ts';
import type { Console, Key } from '../wiring.ts';
import type { ConsoleDevice } from './console-device.ts';
import { keyOf } from './key-word.ts';

const fastOutput = 0x29;
const video = 0x10;
const keyboard = 0x16;
/** BIOS data area: an enhanced keyboard is there; the page that is shown. */
const keyboardFlags = 0x496;
const enhanced = 0x10;
const activePage = 0x462;
const zeroFlag = 0x40;
const normal = 7;

export interface ConsoleHookParts {
  readonly memory: GuestMemory;
  readonly console: Console;
  readonly calls: GuestCalls;
  /** The vector of an interrupt that nobody has hooked. */
  own(interrupt: number): number;
}

/** The interrupts below the console driver, where programs have put their own handlers. */
export class ConsoleHooks {
  readonly #parts: ConsoleHookParts;

  constructor(parts: ConsoleHookParts) {
    this.#parts = parts;
  }

  outputHooked(): boolean {
    return this.#hooked(fastOutput) || this.#hooked(video);
  }

  keysHooked(): boolean {
    return this.#hooked(keyboard);
  }

  /** Whether a byte may go to the screen at once; else it is to be queued as those before it. */
  mayPutOut(byte: number): boolean {
    return this.#parts.calls.mayPutOut(byte) && !this.outputHooked();
  }

  /** Queues a byte for INT 29h. */
  output(byte: number): void {
    this.#parts.calls.later(byte);
  }

  /** The calls that a queued byte stands for. */
  callsFor(byte: number, device: ConsoleDevice): readonly GuestCall[] {
    return this.#hooked(fastOutput) ? [interrupt(fastOutput, { ax: byte })] : this.ownOutput(byte, device);
  }

  /** The kernel's own INT 29h: directly to the screen, or by the INT 10h of a program. */
  ownOutput(byte: number, device: ConsoleDevice): readonly GuestCall[] {
    if (!this.#hooked(video)) {
      device.putOut(byte);
      return [];
    }
    const calls: GuestCall[] = [];
    device.putOut(
      byte,
      this.#recorder((registers) => calls.push(interrupt(video, registers))),
    );
    return calls;
  }

  askStatus(): never {
    this.#parts.calls.now(interrupt(keyboard, { ax: this.#extended() ? 0x1100 : 0x0100 }, 'afterKeyStatus'));
  }

  askKey(): never {
    this.#parts.calls.now(interrupt(keyboard, { ax: this.#extended() ? 0x1000 : 0 }, 'afterKey'));
  }

  /** The machine's screen, each thing to be done as registers of INT 10h. */
  #recorder(call: (registers: CallRegisters) => void): Console {
    const { console, memory } = this.#parts;
    const { screen } = console;
    const page = memory.read8(activePage) << 8;
    return {
      peek: () => undefined,
      poll: () => undefined,
      write(byte) {
        if (screen.attribute !== normal && byte >= 0x20) {
          call({ ax: 0x0900 | byte, bx: page | screen.attribute, cx: 1 });
        }
        call({ ax: 0x0e00 | byte, bx: page | (screen.attribute & 15) });
      },
      screen: {
        rows: screen.rows,
        columns: screen.columns,
        attribute: screen.attribute,
        cursor: () => screen.cursor(),
        setAttribute: (attribute) => screen.setAttribute(attribute),
        moveCursor: (row, column) => call({ ax: 0x0200, bx: page, dx: (row << 8) | column }),
        clear(fromRow, fromColumn, toRow, toColumn, attribute) {
          for (let row = fromRow; row <= toRow; row++) {
            const left = row === fromRow ? fromColumn : 0;
            const right = (row === toRow ? toColumn : screen.columns) - 1;
            if (right < left) continue;
            call({ ax: 0x0600, bx: attribute << 8, cx: (row << 8) | left, dx: (row << 8) | right });
          }
        },
      },
    };
  }

  #extended(): boolean {
    return (this.#parts.memory.read8(keyboardFlags) & enhanced) !== 0;
  }

  #hooked(number: number): boolean {
    return this.#parts.memory.read32(number * 4) !== this.#parts.own(number);
  }
}

function interrupt(number: number, registers: CallRegisters, back = 'afterCall'): GuestCall {
  return { interrupt: number, registers, back };
}

/** The answer of INT 16h functions 01h and 11h. */
export function keyStatusOf({ ax, flags }: GuestAnswer): Key | undefined {
  return (flags & zeroFlag) !== 0 ? undefined : keyOf(ax);
}
