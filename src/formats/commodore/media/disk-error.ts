const texts = {
  20: 'READ ERROR',
  21: 'READ ERROR',
  22: 'READ ERROR',
  23: 'READ ERROR',
  24: 'READ ERROR',
  25: 'WRITE ERROR',
  26: 'WRITE PROTECT ON',
  27: 'READ ERROR',
  28: 'WRITE ERROR',
  29: 'DISK ID MISMATCH',
  30: 'SYNTAX ERROR',
  31: 'SYNTAX ERROR',
  32: 'SYNTAX ERROR',
  33: 'SYNTAX ERROR',
  34: 'SYNTAX ERROR',
  50: 'RECORD NOT PRESENT',
  51: 'OVERFLOW IN RECORD',
  52: 'FILE TOO LARGE',
  60: 'WRITE FILE OPEN',
  61: 'FILE NOT OPEN',
  62: 'FILE NOT FOUND',
  63: 'FILE EXISTS',
  64: 'FILE TYPE MISMATCH',
  65: 'NO BLOCK',
  66: 'ILLEGAL TRACK OR SECTOR',
  70: 'NO CHANNEL',
  71: 'DIR ERROR',
  72: 'DISK FULL',
  74: 'DRIVE NOT READY',
} as const;

export type DiskErrorCode = keyof typeof texts;

/** A failure as the drive's error channel names it: `62,FILE NOT FOUND,00,00`. */
export class DiskError extends Error {
  override readonly name = 'DiskError';
  readonly code: DiskErrorCode;
  readonly track: number;
  readonly sector: number;

  constructor(code: DiskErrorCode, track = 0, sector = 0) {
    const two = (value: number) => String(value).padStart(2, '0');
    super(`${two(code)},${texts[code]},${two(track)},${two(sector)}`);
    this.code = code;
    this.track = track;
    this.sector = sector;
  }
}
