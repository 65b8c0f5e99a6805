import { describe, expect, it } from 'vitest';
import { isoOf, toneOf } from '../../../../formats/cd/cd-testing.ts';
import { parseCueSheet } from '../../../../formats/cd/cue-sheet.ts';
import { type Disc, discOfCue } from '../../../../formats/cd/disc.ts';
import { assemble } from '../../assembler/assemble.ts';
import { SystemBench } from '../../board/system-testing.ts';
import { discInMemory } from '../../drives/open-disc.ts';

const results = 0x90000;
const iso = isoOf('MY GAME DISC', {
  'README.TXT': 'Read me first.',
  'LONGER_NAME.DOCUMENT': 'long',
  DATA: { 'BIG.DAT': Uint8Array.from({ length: 5000 }, (_, index) => index >> 8), DEEP: { 'X.TXT': 'deep' } },
});

/** A data track, then two seconds and one of sound. */
function musicDisc(): Disc {
  const sheet = parseCueSheet(`CATALOG 1234567890123
    FILE data.bin BINARY
    TRACK 01 MODE1/2048
    INDEX 01 00:00:00
    FILE music.bin BINARY
    TRACK 02 AUDIO
    INDEX 01 00:00:00
    TRACK 03 AUDIO
    INDEX 01 00:02:00`);
  const files = [iso, toneOf(225, 50, 8000)];
  return discOfCue(
    sheet,
    files.map((bytes) => ({ length: bytes.length, read: (at, length) => bytes.subarray(at, at + length) })),
  );
}

function bench(source: string, commands: readonly string[], discs: readonly (Disc | undefined)[]): SystemBench {
  const { bytes, errors } = assemble(`org 100h\n${source}`);
  expect(errors).toEqual([]);
  const heard: number[] = [];
  const sink = {
    active: true,
    add(index: number, value: number) {
      heard[index] = value;
    },
  };
  const made = new SystemBench({ 'T.COM': bytes }, commands, { cdLetters: discs.map((_, index) => 3 + index), sink });
  discs.forEach((disc, index) => {
    made.system.insertDisc(3 + index, disc);
  });
  return Object.assign(made, { heard });
}

const words = (made: SystemBench, count: number) =>
  Array.from({ length: count }, (_, index) => made.word(results + index * 2));

/** Stores ax at es:[di], di further; es is where the results are. */
const prologue = 'mov ax, 9000h\nmov es, ax\nxor di, di\n';

describe('a CD with a drive letter', () => {
  it('is listed, read and typed by the shell, folders and long names included', () => {
    const made = bench(
      'ret',
      ['D:', 'DIR', 'TYPE README.TXT', 'CD DATA\\DEEP', 'TYPE X.TXT', 'DIR ..'],
      [discInMemory('x', iso)],
    );
    const { screen } = made.run(6_000_000);
    expect(screen).toContain('Volume in drive D is MY GAME DIS');
    expect(screen).toMatch(/LONGER~1 DOC +4 05-17-93/);
    expect(screen).toContain('Read me first.');
    expect(screen).toContain('deep');
    expect(screen).toMatch(/BIG +DAT +5000/);
    expect(screen).toMatch(/DEEP +<DIR>/);
  });

  it('refuses every change, and tells that a drive is empty', () => {
    const made = bench(
      'ret',
      ['COPY C:\\T.COM D:\\', 'DEL D:\\README.TXT', 'MD D:\\NEW', 'REN D:\\README.TXT A.TXT', 'DIR E:'],
      [discInMemory('x', iso), undefined],
    );
    made.run(3_000_000);
    expect(made.screen.match(/Access denied/gi)?.length).toBeGreaterThanOrEqual(2);
    expect(made.screen).toMatch(/Not ready/i);
    expect(made.system.kernel.dos.drives.get(3).lookup(['README  TXT'])?.size).toBe(14);
  });

  it('gives DOS calls their files: open, seek, read, attributes, space, and errors for writing', () => {
    const made = bench(
      `${prologue}
      mov dx, name
      mov ax, 3d00h
      int 21h
      jc fail
      mov bx, ax
      xor cx, cx
      mov dx, 4090
      mov ax, 4200h
      int 21h
      push es
      pop ds
      mov dx, 100h
      mov cx, 2000
      mov ah, 3fh
      int 21h
      stosw
      push cs
      pop ds
      mov ah, 40h
      mov cx, 1
      mov dx, name
      int 21h
      stosw
      mov dx, name
      mov ax, 3d02h
      int 21h
      stosw
      mov ax, 4300h
      int 21h
      mov ax, cx
      stosw
      mov ah, 36h
      mov dl, 4
      int 21h
      stosw
      mov ax, bx
      stosw
      mov ax, cx
      stosw
      mov ax, 4409h
      mov bl, 4
      int 21h
      mov ax, dx
      stosw
      fail: ret
      name: db 'D:\\DATA\\BIG.DAT',0`,
      ['T'],
      [discInMemory('x', iso)],
    ).run();
    expect(words(made, 8)).toEqual([910, 5, 5, 1, 1, 0, 2048, 0x1000]);
    expect([made.byte(results + 0x100), made.byte(results + 0x106), made.byte(results + 0x100 + 909)]).toEqual([
      15, 16, 19,
    ]);
  });
});

describe('MSCDEX', () => {
  it('tells drives and version, and reads sectors and descriptors', () => {
    const made = bench(
      `${prologue}
      mov ax, 1500h
      xor bx, bx
      int 2fh
      mov ax, bx
      stosw
      mov ax, cx
      stosw
      mov ax, 150ch
      int 2fh
      mov ax, bx
      stosw
      mov ax, 150bh
      mov cx, 4
      int 2fh
      mov ax, bx
      stosw
      mov ax, 150dh
      mov bx, 40h
      int 2fh
      mov ax, 1505h
      mov cx, 3
      xor dx, dx
      mov bx, 1000h
      int 2fh
      stosw
      mov ax, 1505h
      mov dx, 1
      int 2fh
      stosw
      mov ax, 1508h
      mov cx, 3
      mov dx, 1
      push di
      xor si, si
      mov di, 18
      mov bx, 2000h
      int 2fh
      pop di
      mov ax, 1508h
      mov cx, 4
      int 2fh
      stosw
      mov ax, 1502h
      mov cx, 3
      mov bx, 60h
      int 2fh
      mov ax, 150fh
      mov cx, 103h
      mov bx, 80h
      mov word [es:80h], 'DA'
      mov word [es:82h], 'TA'
      mov byte [es:84h], 0
      mov si, 9000h
      push di
      mov di, 300h
      int 2fh
      pop di
      stosw
      ret`,
      ['T'],
      [discInMemory('x', iso), undefined],
    ).run();
    expect(words(made, 8)).toEqual([2, 3, 0x217, 0xadad, 1, 0xff, 21, 1]);
    const bytes = made.system.board.memory.ram;
    const text = (at: number, length: number) =>
      Buffer.from(bytes.subarray(results + at, results + at + length)).toString('latin1');
    expect([...bytes.subarray(results + 0x40, results + 0x42)]).toEqual([3, 4]);
    expect([text(0x1000 + 1, 5), text(0x60, 8)]).toEqual(['CD001', 'COPY.TXT']);
    expect(made.byte(results + 0x2000)).toBe(34);
    expect([text(0x318, 4), made.byte(results + 0x312)]).toEqual(['DATA', 2]);
  });

  it('plays tracks, tells where it is, pauses and goes on, and is heard', () => {
    const made = bench(
      `${prologue}
      mov [here], cs
      mov si, disk_info
      call ask
      mov al, [block+1]
      mov ah, [block+2]
      stosw
      mov byte [block], 11
      mov byte [block+1], 3
      call control
      mov ax, [block+2]
      stosw
      mov al, [block+4]
      mov ah, [block+6]
      stosw
      mov bx, play
      call send
      mov ax, [play+3]
      stosw
      call pause
      mov byte [block], 12
      call control
      mov ax, [block+2]
      stosw
      mov ax, [block+5]
      stosw
      mov byte [play+2], 133
      mov bx, play
      call send
      mov ax, [play+3]
      stosw
      mov byte [block], 15
      call control
      mov ax, [block+1]
      stosw
      mov byte [play+2], 136
      mov bx, play
      call send
      mov ax, [play+3]
      stosw
      call pause
      call pause
      call pause
      call pause
      call pause
      mov byte [block], 6
      call control
      mov ax, [request+3]
      stosw
      ret
      ask: mov al, [si]
      mov [block], al
      control: mov bx, request
      mov byte [request+2], 3
      send: push es
      push cs
      pop es
      mov ax, 1510h
      mov cx, 3
      int 2fh
      pop es
      ret
      pause: push dx
      push cx
      mov cx, 7
      mov dx, 0a120h
      mov ah, 86h
      int 15h
      pop cx
      pop dx
      ret
      disk_info: db 10
      request: db 26, 0, 3
      times 11 db 0
      dw block
      here: dw 0
      dw 16
      times 8 db 0
      play: db 22, 0, 132
      times 10 db 0
      db 0
      dd ${iso.length / 2048}
      dd 150
      block: times 20 db 0`,
      ['T'],
      [musicDisc()],
    );
    const heard = (made as SystemBench & { heard: number[] }).heard;
    const [, second] = made.system.board.cds[0]?.medium?.tracks ?? [];
    expect(second?.start).toBe(iso.length / 2048);
    made.run(8_000_000);
    const found = words(made, 10);
    expect(found[0]).toBe(0x0301);
    // Track 3 begins two seconds after track 2; addresses have two seconds of lead-in.
    const frames = (second?.start ?? 0) + 150 + 150;
    expect([found[1], found[2]]).toEqual([(Math.floor(frames / 75) << 8) | (frames % 75), 0]);
    expect(found[3]).toBe(0x0300);
    // Half a second into track 2.
    expect([found[4], (found[5] ?? 0) & 0xff]).toEqual([0x0102, 0]);
    expect(Math.abs(((found[5] ?? 0) >> 8) - 37)).toBeLessThanOrEqual(2);
    expect(found.slice(6)).toEqual([0x0100, 1, 0x0300, 0x0100]);
    for (const chip of made.system.board.heard) chip.catchUp(made.system.board.instructions);
    const loud = heard.filter((value) => Math.abs(value) > 0.2).length;
    expect(loud).toBeGreaterThan(80_000);
    expect(Math.max(...heard.filter((value) => value !== undefined))).toBeCloseTo(8000 / 32_768, 2);
  });

  it('is not heard again when it is asked about what was', () => {
    const made = bench('hang: jmp hang', ['T'], [musicDisc()]);
    const heard = (made as SystemBench & { heard: number[] }).heard;
    made.system.board.cds[0]?.play(iso.length / 2048, 150);
    made.run(1_000_000);
    const { heard: chips, instructions } = made.system.board;
    const catchUp = (count: number) => {
      for (const chip of chips) chip.catchUp(count);
    };
    catchUp(instructions);
    expect(heard.length).toBeGreaterThan(1000);
    heard.length = 0;
    catchUp(Math.floor(instructions * 0.9));
    catchUp(instructions);
    expect(heard).toEqual([]);
  });
});
