/** Blocks of RAM that can be plugged in: 3 KiB at $0400, 8 KiB each at $2000, $4000, $6000 and $A000. */
export const ramBlocks = ['RAM123', 'BLK1', 'BLK2', 'BLK3', 'BLK5'] as const;
export type RamBlock = (typeof ramBlocks)[number];

interface Span {
  readonly start: number;
  readonly end: number;
}

export const spanOf: Readonly<Record<RamBlock, Span>> = {
  RAM123: { start: 0x0400, end: 0x1000 },
  BLK1: { start: 0x2000, end: 0x4000 },
  BLK2: { start: 0x4000, end: 0x6000 },
  BLK3: { start: 0x6000, end: 0x8000 },
  BLK5: { start: 0xa000, end: 0xc000 },
};

/** Expansions as they were sold, and all that can be had. */
export const expansions = {
  none: [],
  '3k': ['RAM123'],
  '8k': ['BLK1'],
  '16k': ['BLK1', 'BLK2'],
  '24k': ['BLK1', 'BLK2', 'BLK3'],
  '32k': ['BLK1', 'BLK2', 'BLK3', 'BLK5'],
  all: ['RAM123', 'BLK1', 'BLK2', 'BLK3', 'BLK5'],
} as const satisfies Readonly<Record<string, readonly RamBlock[]>>;

export type Expansion = keyof typeof expansions;
