/**
 * AM29F040: 512 KiB of flash with its command sequences. Programming only clears bits; erasing sets the bytes of a sector of
 * 64 KiB, or all of them.
 * Not emulated: the time it takes (a program that polls sees it done at once), sector protection, erase suspend.
 */

/** Words of its state. */
export const flashChipFields = { step: 0, identifies: 1 } as const;
export const flashChipWords = 2;

type Words = Int32Array & Record<(typeof flashChipFields)[keyof typeof flashChipFields], number>;

const { step, identifies } = flashChipFields;

const idle = 0;
const unlocking = 1;
const unlocked = 2;
const programming = 3;
const erasePrepared = 4;
const eraseUnlocking = 5;
const eraseUnlocked = 6;

export const flashBytes = 0x80000;
const sectorBytes = 0x10000;
const manufacturer = 0x01;
const device = 0xa4;

/** What it does to its contents. */
export interface FlashContents {
  program(address: number, value: number): void;
  erase(first: number, length: number): void;
}

export class FlashChip {
  readonly #words: Words;
  readonly #contents: FlashContents;

  constructor(words: Int32Array, contents: FlashContents) {
    this.#words = words as Words;
    this.#contents = contents;
  }

  /** Reads show who made it instead of what is in it. */
  get isIdentifying(): boolean {
    return this.#words[identifies] !== 0;
  }

  reset(): void {
    this.#words[step] = idle;
    this.#words[identifies] = 0;
  }

  /** A write to the chip; true when reads show something else from now on. */
  write(address: number, value: number): boolean {
    const before = this.#words[identifies];
    const stepBefore = this.#words[step];
    this.#words[step] = this.#next(address, value);
    return stepBefore === programming || stepBefore === eraseUnlocked || this.#words[identifies] !== before;
  }

  #next(address: number, value: number): number {
    const at = address & 0x7ff;
    const isFirst = at === 0x555 && value === 0xaa;
    const isSecond = at === 0x2aa && value === 0x55;
    switch (this.#words[step]) {
      case unlocking:
        return isSecond ? unlocked : this.#plain(value);
      case unlocked:
        return at === 0x555 ? this.#command(value) : this.#plain(value);
      case programming:
        this.#contents.program(address, value);
        return idle;
      case erasePrepared:
        return isFirst ? eraseUnlocking : this.#plain(value);
      case eraseUnlocking:
        return isSecond ? eraseUnlocked : this.#plain(value);
      case eraseUnlocked:
        if (value === 0x10 && at === 0x555) this.#contents.erase(0, flashBytes);
        else if (value === 0x30) this.#contents.erase(address & ~(sectorBytes - 1), sectorBytes);
        return idle;
      default:
        return isFirst ? unlocking : this.#plain(value);
    }
  }

  #plain(value: number): number {
    if (value === 0xf0) this.#words[identifies] = 0;
    return idle;
  }

  #command(value: number): number {
    switch (value) {
      case 0xa0:
        return programming;
      case 0x80:
        return erasePrepared;
      case 0x90:
        this.#words[identifies] = 1;
        return idle;
      default:
        return this.#plain(value);
    }
  }
}

/** What a bank of 8 KiB reads while the chip says who it is: maker, type, no protection, over and over. */
export const identification: Uint8Array = new Uint8Array(0x2000).map(
  (_, at) => [manufacturer, device, 0, 0][at & 3] ?? 0,
);
