import { expect, test } from 'vitest';
import { RomBench } from './rom-bench-testing.ts';

/*
 * Published entries of KERNAL and BASIC: what a program calls, the registers that it may count on afterwards (facts of the
 * original), and cells as address and bytes.
 */
type Registers = Partial<Record<'a' | 'x' | 'y' | 'c', number>>;
type Entry = readonly [
  name: string,
  source: string,
  registers: Registers,
  ...cells: [address: number, bytes: number[]][],
];

const three = 'ldy #3\njsr $b3a2\n';
const text = (bytes: string, call: string) =>
  `lda #<@t\nldy #>@t\nsta $7a\nsty $7b\njsr $79\njsr ${call}\nrts\n@t: .byte ${bytes},0`;
const against52 = (value: number, call: string) =>
  `ldy #${value}\njsr $b3a2\nlda #<@f\nldy #>@f\njsr ${call}\nrts\n@f: .byte $86,$50,0,0,0`;
const isStored = (...bytes: number[]): [number, number[]] => [0x61, bytes];

const entries: readonly Entry[] = [
  [
    '$FF8A RESTOR',
    'jsr $ff8a\nrts',
    { y: 0xff, x: 0x30, a: 0x31, c: 0 },
    [0x314, [0x31, 0xea, 0x66, 0xfe, 0x47, 0xfe]],
  ],
  ['$FD15', 'jsr $fd15\nrts', { y: 0xff }, [0x330, [0xa5, 0xf4, 0xed, 0xf5]]],
  ['$FD1A with the table at $FD30', 'ldx #$30\nldy #$fd\nclc\njsr $fd1a\nrts', { y: 0xff }, [0x31a, [0x4a, 0xf3]]],
  ['$FF8D VECTOR', 'ldx #0\nldy #$c2\nsec\njsr $ff8d\nrts', { c: 1, y: 0xff }, [0xc200, [0x31, 0xea]]],
  ['$FF90 SETMSG', 'lda #$c0\njsr $ff90\nrts', { a: 0 }, [0x9d, [0xc0]]],
  ['$FE1C', 'lda #$40\njsr $fe1c\nrts', { a: 0x40 }, [0x90, [0x40]]],
  ['$FF99 MEMTOP', 'sec\njsr $ff99\nrts', { x: 0, y: 0xa0, c: 1 }],
  ['$FF99 MEMTOP, flags of Y', 'sec\njsr $ff99\nbpl @no\nlda #1\n@no: rts', { a: 1 }],
  ['$FF9C MEMBOT', 'sec\njsr $ff9c\nrts', { x: 0, y: 8, c: 1 }],
  ['$FFB7 READST', 'lda #$40\nsta $90\njsr $ffb7\nrts', { a: 0x40 }],
  ['$FFBA SETLFS', 'lda #1\nldx #8\nldy #2\njsr $ffba\nrts', { a: 1, x: 8, y: 2 }, [0xb8, [1, 2, 8]]],
  ['$FFBD SETNAM', 'lda #3\nldx #$12\nldy #$c1\njsr $ffbd\nrts', { a: 3 }, [0xb7, [3]], [0xbb, [0x12, 0xc1]]],
  ['$FFC6 CHKIN without a file', 'ldx #5\njsr $ffc6\nrts', { a: 3, c: 1 }],
  ['$FFC9 CHKOUT without a file', 'ldx #5\njsr $ffc9\nrts', { a: 3, c: 1 }],
  ['$FFCC CLRCHN', 'jsr $ffcc\nrts', { a: 0, x: 3 }, [0x99, [0, 3]]],
  ['$FFD2 CHROUT', 'lda #$41\nldx #3\nldy #4\njsr $ffd2\nrts', { a: 0x41, x: 3, y: 4, c: 0 }],
  ['$FFE1 STOP', 'jsr $ffe1\nbeq @no\nlda #7\n@no: rts', { a: 7 }],
  ['$FFE4 GETIN', 'sei\nlda #$41\nsta $277\nlda #1\nsta $c6\njsr $ffe4\ncli\nrts', { a: 0x41, c: 0 }],
  ['$FFED SCREEN', 'jsr $ffed\nrts', { x: 40, y: 25 }],
  ['$FFF3 IOBASE', 'jsr $fff3\nrts', { x: 0, y: 0xdc }],
  ['$FD02 without a cartridge', 'jsr $fd02\nbeq @no\nlda #9\n@no: rts', { a: 9 }],
  [
    'the vectors of BASIC',
    'rts',
    {},
    [0x300, [0x8b, 0xe3, 0x83, 0xa4, 0x7c, 0xa5, 0x1a, 0xa7, 0xe4, 0xa7, 0x86, 0xae]],
  ],
  ['USR', 'rts', {}, [0x310, [0x4c, 0x48, 0xb2]]],
  ['$E10C', 'lda #$41\njsr $e10c\nrts', { a: 0x41, c: 0 }, [0xd3, [1]]],
  ['$AB3F', 'jsr $ab3f\nrts', { a: 0x20 }, [0xd3, [1]]],
  ['$AB1E', 'lda #<@t\nldy #>@t\njsr $ab1e\nrts\n@t: .byte $41,$42,0', {}, [0xd3, [2]]],
  ['$BDCD', 'ldx #$39\nlda #$30\njsr $bdcd\nrts', {}, [0xd3, [5]]],
  ['$B391', 'lda #$12\nldy #$34\njsr $b391\nrts', {}, isStored(0x8d, 0x91, 0xa0, 0, 0, 0)],
  ['$B7F7', 'lda #$12\nldy #$34\njsr $b391\njsr $b7f7\nrts', { a: 0x12, y: 0x34 }, [0x14, [0x34, 0x12]]],
  ['$B1BF', 'lda #$12\nldy #$34\njsr $b391\njsr $b1bf\nrts', {}, [0x64, [0x12, 0x34]]],
  ['$BC5B, FAC is less', against52(5, '$bc5b'), { a: 0xff, c: 1 }],
  ['$BC5B, the same', against52(52, '$bc5b'), { a: 0, c: 1 }],
  ['$BC5B, FAC is more', against52(127, '$bc5b'), { a: 1, c: 0 }],
  ['$B867', against52(5, '$b867'), {}, isStored(0x86, 0xe4, 0, 0, 0)],
  ['$B850', against52(5, '$b850'), {}, isStored(0x86, 0xbc, 0, 0, 0)],
  ['$BA28', against52(5, '$ba28'), {}, isStored(0x89, 0x82, 0, 0, 0)],
  ['$BB0F', against52(52, '$bb0f'), {}, isStored(0x81, 0x80, 0, 0, 0)],
  ['$BC39', `${three}jsr $bc39\nrts`, {}, isStored(0x81, 0x80, 0, 0, 0, 0)],
  ['$BFB4', `${three}jsr $bfb4\nrts`, {}, isStored(0x82, 0xc0, 0, 0, 0, 0xff)],
  ['$BC58', `${three}jsr $bfb4\njsr $bc58\nrts`, {}, isStored(0x82, 0xc0, 0, 0, 0, 0)],
  ['$B9EA', `${three}jsr $b9ea\nrts`, {}, isStored(0x81, 0x8c, 0x9f, 0x53)],
  ['$BFED', `${three}jsr $bfed\nrts`, {}, isStored(0x85, 0xa0, 0xaf, 0x2d)],
  ['$E2B4', `${three}jsr $e2b4\nrts`, {}, isStored(0x7e, 0x91, 0xf7, 0xb8)],
  ['$E30E', `${three}jsr $e30e\nrts`, {}, isStored(0x81, 0x9f, 0xe0, 0xbb)],
  ['$E264', `${three}jsr $e264\nrts`, {}, isStored(0x80, 0xfd, 0x70, 0x25)],
  ['$E26B', `${three}jsr $e26b\nrts`, {}, isStored(0x7e, 0x90, 0x81, 0xc3)],
  ['$BF71', `${three}jsr $bf71\nrts`, {}, isStored(0x81, 0xdd, 0xb3, 0xd7)],
  ['$E097', `${three}jsr $e097\nlda $61\ncmp #$81\nrts`, { c: 0 }],
  ['$BC0F', `${three}jsr $bc0f\nrts`, { a: 0x82 }, [0x69, [0x82, 0xc0]]],
  ['$AD8A', text('$31,$32,$2b,$35', '$ad8a'), {}, isStored(0x84, 0xc0)],
  ['$AEFD', text('$2c,$31', '$aefd'), { a: 0x31, c: 0 }],
  ['$AEF1', text('$28,$37,$29', '$aef1'), { a: 0 }, isStored(0x83, 0xe0)],
  ['$B79E', text('$31,$32', '$b79e'), { x: 12 }],
  ['$B7EB', text('$31,$32,$2c,$33', '$b7eb'), { x: 3 }, [0x14, [12, 0]]],
  ['$A96B', text('$31,$32,$33', '$a96b'), {}, [0x14, [123, 0]]],
  ['$A906', text('$41,$3a,$42', '$a906'), { y: 1 }],
  ['$A909', text('$41,$3a,$42', '$a909'), { y: 3 }],
  ['$B113, a letter', 'lda #$41\njsr $b113\nrts', { c: 1 }],
  ['$B113, none', 'lda #$31\njsr $b113\nrts', { c: 0 }],
  ['$B526', 'jsr $b526\nrts', {}, [0x33, [0, 0xa0]]],
  ['$E544', 'jsr $e544\nrts', {}, [0xd1, [0, 4]], [0xd6, [0]]],
];

const cases = entries.map(([name, source, registers, ...cells]) => ({ name, source, registers, cells }));

test.each(cases)('$name', ({ source, registers, cells }) => {
  const bench = RomBench.ready();
  expect(bench.call(source)).toMatchObject(registers);
  for (const [address, bytes] of cells)
    expect([...bench.board.ram.subarray(address, address + bytes.length)]).toEqual(bytes);
});
