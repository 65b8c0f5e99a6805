import { PagedRam } from './paged-ram.ts';

/** The chips beside the controller of an REU: where they answer, and what they hold when power comes on. */
export class ReuRam {
  readonly kilobytes: number;
  readonly ram: PagedRam;
  readonly #mask: number;

  constructor(kilobytes: number) {
    this.kilobytes = kilobytes;
    const size = kilobytes * 1024;
    this.ram = new PagedRam(size);
    // 256 KiB are half of the sockets for 512, the other half of which are empty.
    this.#mask = kilobytes === 256 ? 0x7ffff : size - 1;
  }

  powerOn(): void {
    const { bytes } = this.ram;
    for (let page = 0; page < Math.min(bytes.length, patternBytes) >> 8; page += 1) {
      bytes.set(isInverted(page) ? invertedPage : plainPage, page << 8);
    }
    for (let at = patternBytes; at < bytes.length; at += patternBytes) bytes.copyWithin(at, 0, patternBytes);
    this.ram.touch();
  }

  read(address: number): number | undefined {
    return this.ram.bytes[address & this.#mask];
  }

  write(address: number, value: number): void {
    const place = address & this.#mask;
    if (place < this.ram.bytes.length) this.ram.write(place, value);
  }
}

/** Seen in a 1764: FF 00 00 FF over and over, the other way round in every other page and in three stretches of each bank. */
const plainPage = Uint8Array.from({ length: 256 }, (_, place) => (((place + 1) >> 1) & 1 ? 0x00 : 0xff));
const invertedPage = plainPage.map((value) => value ^ 0xff);

/** After so many bytes it begins again: with every fourth bank. */
const patternBytes = 4 * 0x10000;

function isInverted(page: number): boolean {
  const stretches = ((page >> 9) & 1) !== 0 ? laterStretches : firstStretches;
  const isInStretch = stretches.some(([first, last]) => (page & 0xff) >= first && (page & 0xff) <= last);
  return ((page & 1) !== 0) !== isInStretch;
}

/** By page of a bank. */
const firstStretches: readonly (readonly [number, number])[] = [
  [0x2a, 0x53],
  [0x80, 0xab],
  [0xd6, 0xff],
];
const laterStretches: readonly (readonly [number, number])[] = [
  [0x00, 0x29],
  [0x54, 0x7f],
  [0xac, 0xd5],
];
