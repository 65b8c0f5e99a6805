import { DiskError, type DiskErrorCode } from '../../../formats/commodore/media/disk-error.ts';
import { type DriveWords, driveFields as f } from './drive-state.ts';

const reports: Readonly<Record<number, string>> = {
  0: ' OK',
  1: ' FILES SCRATCHED',
  73: 'FRONTPANEL DRIVE',
};

const powerUp = 73;
const firstError = 20;

/** The drive's error channel: the last message, and how much of it has been read. */
export class DriveStatus {
  readonly #words: DriveWords;

  constructor(words: DriveWords) {
    this.#words = words;
  }

  set(code: number, track = 0, sector = 0): void {
    this.#words[f.statusCode] = code;
    this.#words[f.statusTrack] = track;
    this.#words[f.statusSector] = sector;
    this.#words[f.statusPosition] = 0;
  }

  powerUp(): void {
    this.set(powerUp);
  }

  get isError(): boolean {
    const code = this.#words[f.statusCode];
    return code >= firstError && code !== powerUp;
  }

  get text(): string {
    const code = this.#words[f.statusCode];
    const track = this.#words[f.statusTrack];
    const sector = this.#words[f.statusSector];
    const report = reports[code];
    // The DOS puts a space before its messages.
    if (report === undefined) return new DiskError(code as DiskErrorCode, track, sector).message.replace(',', ', ');
    const two = (value: number) => String(value).padStart(2, '0');
    return `${two(code)},${report},${two(track)},${two(sector)}`;
  }

  /** The next byte of the message, plus $100 with the last one. */
  next(): number {
    const { text } = this;
    const at = this.#words[f.statusPosition];
    return at < text.length ? text.charCodeAt(at) : 0x10d;
  }

  /** A message that was read to its end is gone. */
  taken(): void {
    if (this.next() < 0x100) this.#words[f.statusPosition] += 1;
    else this.set(0);
  }
}
