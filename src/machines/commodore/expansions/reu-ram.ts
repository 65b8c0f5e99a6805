import { PagedRam } from './paged-ram.ts';

/** The chips beside the controller of an REU: where they answer, and what they hold when power comes on. */
export class ReuRam {
  readonly ram: PagedRam;
  readonly #mask: number;

  constructor(kilobytes: number) {
    const size = kilobytes * 1024;
    this.ram = new PagedRam(size);
    // 256 KiB are half of the sockets for 512, the other half of which are empty.
    this.#mask = kilobytes === 256 ? 0x7ffff : size - 1;
  }

  powerOn(): void {
    const { bytes } = this.ram;
    for (let place = 0; place < bytes.length; place += 1) bytes[place] = powerOnByte(place);
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
function powerOnByte(place: number): number {
  const value = ((place + 1) >> 1) & 1 ? 0x00 : 0xff;
  const isOddPage = ((place >> 8) & 1) !== 0;
  const offset = place & 0xffff;
  const isInLaterBank = ((place >> 17) & 1) !== 0;
  const stretches = isInLaterBank ? laterStretches : firstStretches;
  const isInverted = stretches.some(([first, last]) => offset >= first && offset <= last);
  return isOddPage === isInverted ? value : value ^ 0xff;
}

const firstStretches: readonly (readonly [number, number])[] = [
  [0x2a00, 0x53ff],
  [0x8000, 0xabff],
  [0xd600, 0xffff],
];
const laterStretches: readonly (readonly [number, number])[] = [
  [0x0000, 0x29ff],
  [0x5400, 0x7fff],
  [0xac00, 0xd5ff],
];
