import { assemble } from '../../../src/machines/dos/assembler/assemble.ts';

const word = (value: number) => [value & 255, (value >> 8) & 255];

/** A program of so many bytes, from 0100h on. */
const com = (...bytes: readonly number[]) => Uint8Array.from(bytes);
const jump = (from: number, to: number) => [0xeb, (to - from - 2) & 255];

/** Fills segments from 2000h on with so many `jmp $+2`, and runs through each: thousands of blocks. */
function manyBlocks(count: number, end: number): Uint8Array {
  const head = [
    ...[0xbb, ...word(0x2000)], // mov bx, 2000h
    ...[0x8e, 0xc3, 0x31, 0xff, 0xb8, 0xeb, 0x00], // next: mov es, bx; xor di, di; mov ax, 00EBh
    ...[0xb9, ...word(count), 0xf3, 0xab, 0xb0, 0xcb, 0xaa], // mov cx, count; rep stosw; mov al, CBh; stosb
    ...[0x53, 0x31, 0xc0, 0x50, 0x89, 0xe5, 0xff, 0x5e, 0x00], // push bx; xor ax, ax; push ax; mov bp, sp; call far [bp]
    ...[0x83, 0xc4, 0x04, 0x81, 0xc3, ...word(0x1000), 0x80, 0xff, end], // add sp, 4; add bx, 1000h; cmp bh, end
  ];
  return com(...head, 0x72, (0x103 - (0x100 + head.length + 2)) & 255, 0xeb, 0xfe);
}

/** Changes the instruction at its end through a thousand forms, for ever. */
function changing(): Uint8Array {
  const place = 0x118;
  return com(
    ...[0xfe, 0x06, ...word(place + 1), 0x75, 0x0d], // inc byte [place+1]; jnz +
    ...[0xfe, 0x06, ...word(place), 0xfe, 0x06, ...word(place), 0x80, 0x26, ...word(place), 0x3a],
    ...[0x80, 0x0e, ...word(place + 1), 0xc0], // + or byte [place+1], C0h
    ...[0x00, 0xc0, ...jump(0x11a, 0x100)],
  );
}

const lineFeeds = [0xb0, 0x0a, 0xb9, 0, 0xf0, 0xbf, ...word(0x200), 0xfc];

function assembled(source: string): Uint8Array {
  const { bytes, errors } = assemble(`org 100h\n${source}`);
  if (errors.length > 0) throw new Error(errors.join());
  return bytes;
}

/** CD sectors as many as one call takes, a hard disk's by IDE, and a floppy controller that is reset and asked at once. */
const disks = `
again:  mov ax,2000h
        mov es,ax
        xor bx,bx
        xor si,si
        mov di,16
        mov dx,300
        mov cx,4
        mov ax,1508h
        int 2fh
        mov si,reads
        mov dx,1f2h
        mov cx,6
next:   lodsb
        out dx,al
        inc dx
        loop next
        mov dx,1f0h
        mov cx,0ffffh
        xor di,di
        rep insw
        mov dx,3f2h
        xor al,al
        out dx,al
        mov al,1ch
        out dx,al
        mov cx,9
        mov dx,3f5h
        mov si,sectors
        rep outsb
        jmp again
reads:  db 0,0,0,0,0e0h,20h
sectors: db 0e6h,0,0,0,1,2,18,1bh,0ffh
`;

/** Sound of 16 bits at the highest rate, with an interrupt after each word, and a second card's commands between. */
const sound = `
        cli
        mov dx,226h
        mov al,1
        out dx,al
        xor al,al
        out dx,al
        mov al,5
        out 0d4h,al
        out 0d8h,al
        mov al,59h
        out 0d6h,al
        xor al,al
        out 0c4h,al
        out 0c4h,al
        out 0c6h,al
        out 0c6h,al
        mov al,2
        out 8bh,al
        mov al,1
        out 0d4h,al
        mov dx,22ch
        mov si,commands
        mov cx,7
next:   lodsb
        out dx,al
        loop next
        mov dx,22fh
play:   in al,dx
        jmp play
commands: db 41h,0ach,44h,0b6h,30h,0,0
`;

/** Guests that work as hard as they can for one instruction, one call, one line. */
export const hostilePrograms: Readonly<Record<string, () => Uint8Array | string>> = {
  // repe cmpsb of 64 KiB with itself
  'compare.com': () => com(0xb9, 0xff, 0xff, 0xbe, 0, 0, 0xbf, 0, 0, 0xf3, 0xa6, ...jump(0x10b, 0x100)),
  // rep outsb of 64 KiB to the palette
  'ports.com': () => com(0xba, 0xc9, 3, 0xb9, 0xff, 0xff, 0xbe, 0, 0, 0xf3, 0x6e, ...jump(0x10b, 0x100)),
  // INT 10h, function 09h with 65,535 characters, in a text and in a graphics mode
  'cells.com': () => com(0xb8, 0x41, 9, 0xbb, 7, 0, 0xb9, 0xff, 0xff, 0xcd, 0x10, ...jump(0x10b, 0x100)),
  'glyphs.com': () =>
    com(0xb8, 0x12, 0, 0xcd, 0x10, 0xb8, 0x41, 9, 0xbb, 7, 0, 0xb9, 0xff, 0xff, 0xcd, 0x10, ...jump(0x110, 0x105)),
  'modes.com': () => com(0xb8, 0x12, 0, 0xcd, 0x10, ...jump(0x105, 0x100)),
  // 64 KiB of line feeds by INT 10h function 13h, and by INT 21h function 40h
  'string.com': () =>
    com(
      ...lineFeeds,
      0x57,
      0xf3,
      0xaa,
      0x5d,
      0xb8,
      0,
      0x13,
      0xbb,
      7,
      0,
      0xb9,
      0,
      0xf0,
      0x31,
      0xd2,
      0xcd,
      0x10,
      0xeb,
      0xfe,
    ),
  'lines.com': () =>
    com(...lineFeeds, 0xf3, 0xaa, 0xb4, 0x40, 0xbb, 1, 0, 0xb9, 0, 0xf0, 0xba, ...word(0x200), 0xcd, 0x21, 0xeb, 0xfe),
  // the slowest instructions of a coprocessor
  'sines.com': () => com(0xd9, 0xeb, 0xd9, 0xfe, 0xdd, 0xd8, ...jump(0x106, 0x100)),
  'logarithms.com': () => com(0xd9, 0xeb, 0xd9, 0xeb, 0xd9, 0xf1, 0xdd, 0xd8, ...jump(0x108, 0x100)),
  'changing.com': changing,
  'blocks.com': () => manyBlocks(0x7ff0, 0x90),
  'graph.com': () => manyBlocks(0x2e00, 0x30),
  // INT 21h function 40h: 64 KiB into a file, again and again, from its end and from its beginning
  'fill.com': () =>
    com(
      ...[0xb4, 0x3c, 0x31, 0xc9, 0xba, ...word(0x120), 0xcd, 0x21, 0x89, 0xc3],
      ...[0xb4, 0x40, 0xb9, 0xff, 0xff, 0x31, 0xd2, 0xcd, 0x21, ...jump(0x113, 0x10a)],
      ...Array(11).fill(0x90),
      ...[0x41, 0x2e, 0x42, 0],
    ),
  // a file is made and deleted, again and again
  'temporary.com': () =>
    com(
      ...[0xb4, 0x3c, 0x31, 0xc9, 0xba, ...word(0x120), 0xcd, 0x21, 0x89, 0xc3, 0xb4, 0x3e, 0xcd, 0x21],
      ...[0xb4, 0x41, 0xba, ...word(0x120), 0xcd, 0x21, ...jump(0x115, 0x100)],
      ...Array(9).fill(0x90),
      ...[0x41, 0x2e, 0x42, 0],
    ),
  'print.com': () => com(0xb4, 5, 0xb2, 0x41, 0xcd, 0x21, ...jump(0x106, 0x100)),
  'serial.com': () => com(0xba, ...word(0x3f8), 0xb0, 0x41, 0xee, ...jump(0x106, 0x105)),
  'calls.com': () => com(0xb4, 0x2c, 0xcd, 0x21, 0xb4, 0x0b, 0xcd, 0x21, ...jump(0x108, 0x100)),
  'characters.com': () => com(0xb4, 2, 0xb2, 0x41, 0xcd, 0x21, ...jump(0x106, 0x100)),
  'still.com': () => com(0xeb, 0xfe),
  // the timer at its fastest, with interrupts on
  'timer.com': () => com(0xb0, 0x34, 0xe6, 0x43, 0xb0, 1, 0xe6, 0x40, 0xb0, 0, 0xe6, 0x40, 0xfb, 0xeb, 0xfe),
  'disks.com': () => assembled(disks),
  'sound.com': () => assembled(sound),
  'circle.bat': () => ':a\r\ngoto a\r\n',
  'each.bat': () => ':a\r\nfor %%a in (1 2 3 4 5 6 7 8 9) do echo %%a\r\ngoto a\r\n',
  'itself.bat': () => 'itself.bat\r\n',
  'nested.bat': () => 'call nested.bat\r\n',
  'type.bat': () => ':a\r\ntype large.txt\r\ngoto a\r\n',
  'copy.bat': () => ':a\r\ncopy large.txt other.txt\r\ngoto a\r\n',
  'dir.bat': () => ':a\r\ndir /s\r\ngoto a\r\n',
  'endless.bat': () => 'echo off\r\n'.repeat(20_000),
};
