/** Rights of a segment as its descriptor has them: byte 5, and the upper half of byte 6 above it. */
export const rightsBits = {
  accessed: 0x01,
  /** Of data. */
  writable: 0x02,
  downwards: 0x04,
  /** Of code. */
  readable: 0x02,
  conforming: 0x04,
  code: 0x08,
  /** Code or data, and no gate or table. */
  memory: 0x10,
  present: 0x80,
  wide: 0x4000,
} as const;

/** As real mode has its segments: data that may be written, and code that may be read. */
export const realRights = { data: 0x93, code: 0x9b } as const;
/** Virtual 8086 mode has them as users. */
export const virtualRights = 0xf3;

/** Whether a segment may be read or written from its beginning to its limit. */
export function allows(rights: number, write: boolean): boolean {
  if ((rights & rightsBits.present) === 0) return false;
  if ((rights & rightsBits.code) !== 0) return !write && (rights & rightsBits.readable) !== 0;
  return (rights & rightsBits.downwards) === 0 && (!write || (rights & rightsBits.writable) !== 0);
}

export function privilegeOf(rights: number): number {
  return (rights >> 5) & 3;
}
