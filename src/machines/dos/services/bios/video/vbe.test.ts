import { describe, expect, test } from 'vitest';
import { assemble } from '../../../assembler/assemble.ts';
import { at, com, exit, label, word } from '../../../board/com-testing.ts';
import { SystemBench } from '../../../board/system-testing.ts';

/** mov ax,… / int 10h */
const video = (ax: number) => [0xb8, word(ax), 0xcd, 0x10] as const;
/** mov bx,… / mov ax,4F02h / int 10h */
const setMode = (mode: number) => [[0xbb, word(mode)], video(0x4f02)] as const;
/** xor bx,bx / mov dx,… / mov ax,4F05h / int 10h */
const bank = (number: number) => [[0x31, 0xdb, 0xba, word(number)], video(0x4f05)] as const;
/** mov ax,A000h / mov es,ax */
const screenSegment = [0xb8, word(0xa000), 0x8e, 0xc0] as const;
/** mov di,… / mov al,… / stosb */
const put = (offset: number, value: number) => [0xbf, word(offset), 0xb0, value, 0xaa] as const;
/** xor bx,bx / mov ds,bx / mov [4F0h+…],ax: where programs leave words for each other. */
const note = (offset: number) => [0x31, 0xdb, 0x8e, 0xdb, 0xa3, word(0x4f0 + offset)] as const;
/** Stays where it is. */
const stop = [0xeb, 0xfe] as const;

const run = (parts: Parameters<typeof com>[0]) => new SystemBench({ 'v.com': com(parts) }, ['v']).run(50_000);
const picture = (bench: SystemBench) => bench.system.board.vga.picture();

describe('VESA modes', () => {
  test('640 by 480 with 256 colours: banks, a palette of 6 and of 8 bits', () => {
    const bench = run([
      setMode(0x101),
      screenSegment,
      put(5, 9),
      bank(4),
      // 300 * 640 + 7 is in bank 2, 479 * 640 + 639 in bank 4.
      put(479 * 640 + 639 - 4 * 0x10000, 10),
      bank(2),
      put(300 * 640 + 7 - 2 * 0x10000, 11),
      [0xbb, word(0x0800)],
      video(0x4f08),
      [0x88, 0x3e, at('width'), 0xbb, word(0), 0xb9, word(1), 0xba, word(9), 0xbf, at('colour'), 0x0e, 0x07],
      video(0x4f09),
      stop,
      label('width'),
      [0],
      label('colour'),
      [3, 130, 255, 0],
    ]);
    const shown = picture(bench);
    if (!('pixels' in shown)) expect.unreachable();
    expect([shown.width, shown.height]).toEqual([640, 480]);
    expect([shown.pixels[5], shown.pixels[300 * 640 + 7], shown.pixels[479 * 640 + 639]]).toEqual([9, 11, 10]);
    expect(shown.pixels.filter((pixel) => pixel !== 0)).toHaveLength(3);
    expect([...shown.palette.subarray(27, 30)]).toEqual([255, 130, 3]);
    expect(bench.system.board.vga.text()).toBeUndefined();
  });

  test.for([
    [0x100, 640, 400],
    [0x103, 800, 600],
    [0x105, 1024, 768],
    [0x107, 1280, 1024],
    [0x10d, 320, 200],
    [0x115, 800, 600],
    [0x117, 1024, 768],
  ] as const)('%i is %i by %i', ([number, width, height]) => {
    const bench = run([setMode(number), note(0), stop]);
    expect(picture(bench)).toMatchObject({ width, height });
    expect(bench.word(0x4f0)).toBe(0x4f);
  });

  test('colours without a palette', () => {
    const colour = (mode: number, bytes: readonly number[]) => {
      const writes = bytes.map((byte, index) => put(index, byte));
      const shown = picture(run([setMode(mode), screenSegment, writes, stop]));
      if (!('rgb' in shown)) expect.unreachable();
      return [...shown.rgb.subarray(0, 3)];
    };
    expect(colour(0x110, [0x1f, 0x7c])).toEqual([255, 0, 255]);
    expect(colour(0x111, [0xe0, 0x07])).toEqual([0, 255, 0]);
    expect(colour(0x112, [1, 2, 3])).toEqual([3, 2, 1]);
  });

  test('16 colours lie in planes, beyond 64 KiB by banks', () => {
    const shown = picture(
      run([
        setMode(0x104),
        screenSegment,
        bank(1),
        // Plane 1 alone: mov dx,3C4h / mov ax,0202h / out dx,ax
        [0xba, word(0x3c4), 0xb8, word(0x0202), 0xef],
        put(600 * 128 - 0x10000, 0x80),
        stop,
      ]),
    );
    if (!('pixels' in shown)) expect.unreachable();
    expect([shown.pixels[600 * 1024], shown.pixels[600 * 1024 + 1]]).toEqual([2, 0]);
  });

  test('the picture may begin anywhere, and lines be longer than it', () => {
    const shown = picture(
      run([
        setMode(0x101),
        screenSegment,
        // Lines of 1024 pixels, and a picture that begins at (3, 2).
        [0xbb, word(0), 0xb9, word(1024)],
        video(0x4f06),
        put(2 * 1024 + 4, 7),
        [0xbb, word(0), 0xb9, word(3), 0xba, word(2)],
        video(0x4f07),
        stop,
      ]),
    );
    if (!('pixels' in shown)) expect.unreachable();
    expect(shown.pixels.indexOf(7)).toBe(1);
  });

  test('programs move the window by a far call', () => {
    const shown = picture(
      run([
        setMode(0x101),
        [0x0e, 0x07, 0xbf, at('block'), 0xb9, word(0x101)],
        video(0x4f01),
        [0x31, 0xdb, 0xba, word(3), 0xff, 0x1e, at('block', 12)],
        [0xbb, word(0x100), 0xba, word(0), 0xff, 0x1e, at('block', 12), 0x88, 0xd0],
        screenSegment,
        [0xbf, word(1), 0xb0, 3, 0xaa],
        stop,
        label('block'),
      ]),
    );
    if (!('pixels' in shown)) expect.unreachable();
    expect(shown.pixels.indexOf(3)).toBe(3 * 0x10000 + 1);
  });

  test('a snapshot has the memory, and an older one an empty one', () => {
    const bench = new SystemBench({ 'v.com': com([setMode(0x101), screenSegment, bank(4), put(1, 5), stop]) }, ['v']);
    const { board } = bench.system;
    const before = board.snapshot();
    bench.run(50_000);
    const after = board.snapshot();
    const pixels = () => {
      const shown = board.vga.picture();
      return 'pixels' in shown ? shown.pixels.filter((pixel) => pixel === 5).length : -1;
    };
    expect(pixels()).toBe(1);
    board.restore(before);
    expect(board.videoMemory.some((byte, index) => byte !== 0 && index >= 0x40000)).toBe(false);
    board.restore(after);
    expect(pixels()).toBe(1);
    board.restore(before);
    expect(Buffer.compare(board.snapshot(after), before)).toBe(0);
  });
});

describe('the linear frame buffer', () => {
  /** Segments of 4 GiB by way of protected mode, then pixels by 32-bit offsets. */
  const { bytes } = assemble(`
    org 100h
    mov bx, 4101h
    mov ax, 4f02h
    int 10h
    cli
    xor eax, eax
    mov ax, cs
    shl eax, 4
    add eax, gdt
    mov [place + 2], eax
    lgdt [place]
    mov eax, cr0
    or al, 1
    mov cr0, eax
    mov dx, 8
    mov es, dx
    and al, 0xfe
    mov cr0, eax
    mov edi, 0xe0000000
    mov byte [es:edi + 3], 5
    mov dword [es:edi + 307196], 0x09080706
    mov al, [es:edi + 307197]
    mov [es:edi + 4], al
    mov ax, 4f03h
    int 10h
    jmp $
  gdt: dw 0, 0, 0, 0, 0xffff, 0, 0x9200, 0x00cf
  place: dw 15
    dd 0
  `);

  test('pixels lie in a row there, and the window shows the same ones', () => {
    const bench = new SystemBench({ 'v.com': bytes }, ['v'], { extendedKilobytes: 1024 }).run(50_000);
    const shown = picture(bench);
    if (!('pixels' in shown)) expect.unreachable();
    expect([shown.width, shown.height]).toEqual([640, 480]);
    expect([...shown.pixels.subarray(0, 6)]).toEqual([0, 0, 0, 5, 7, 0]);
    expect([...shown.pixels.subarray(-5)]).toEqual([0, 6, 7, 8, 9]);
    const { cpu, memory } = bench.system.board;
    expect(cpu.get('bx')).toBe(0x4101);
    expect([memory.peek8(0xa0003), memory.peek8(0xe0000003), memory.peek8(0xe0200000)]).toEqual([5, 5, 0xff]);
  });

  test('outside such modes nothing is there', () => {
    const { memory } = new SystemBench({}, ['ver']).run(50_000).system.board;
    memory.write8(0xe0000000, 1);
    expect(memory.peek8(0xe0000000)).toBe(0xff);
  });
});

describe('what VESA functions tell', () => {
  test('version, memory and modes; of each mode its size, window and colours', () => {
    const [block, modeBlock] = [0x70000, 0x70200];
    const bench = run([
      // mov ax,7000h / mov es,ax / the signature of those who know version 2
      [0xb8, word(0x7000), 0x8e, 0xc0, 0x31, 0xff],
      [0x26, 0xc7, 0x05, 'VB', 0x26, 0xc7, 0x45, 0x02, 'E2'],
      video(0x4f00),
      [0xbf, word(0x200), 0xb9, word(0x111)],
      video(0x4f01),
      [0xb9, word(0x118)],
      video(0x4f01),
      note(0),
      video(0x4f03),
      [0x89, 0xd8],
      note(2),
      stop,
    ]);
    const text = Array.from({ length: 4 }, (_, index) => String.fromCharCode(bench.byte(block + index))).join('');
    expect([text, bench.word(block + 4), bench.word(block + 18)]).toEqual(['VESA', 0x200, 32]);
    expect([bench.word(0x4f0), bench.word(0x4f2)]).toEqual([0x14f, 3]);
    const list = bench.word(block + 16) * 16 + bench.word(block + 14);
    const modes = Array.from({ length: 20 }, (_, index) => bench.word(list + index * 2));
    expect([modes[0], modes.at(-2), modes.at(-1)]).toEqual([0x100, 0x117, 0xffff]);
    const words = [0, 4, 8, 16, 18, 20].map((offset) => bench.word(modeBlock + offset));
    expect(words).toEqual([0x9b, 64, 0xa000, 1280, 640, 480]);
    expect([bench.word(modeBlock + 40), bench.word(modeBlock + 42)]).toEqual([0, 0xe000]);
    const colours = Array.from({ length: 6 }, (_, index) => bench.byte(modeBlock + 31 + index));
    expect(colours).toEqual([5, 11, 6, 5, 5, 0]);
  });

  test('an ordinary mode ends them, and planes have no linear frame buffer', () => {
    const ended = run([setMode(0x101), [0xb8, word(3), 0xcd, 0x10], exit()]);
    expect(ended.system.board.vga.text()).toBeDefined();
    const refused = run([setMode(0x4102), note(0), stop]);
    expect(refused.word(0x4f0)).toBe(0x14f);
  });
});
