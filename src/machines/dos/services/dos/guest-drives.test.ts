import { describe, expect, test } from 'vitest';
import { at, com, dos, exit, label, near, print, short, word } from '../../board/com-testing.ts';
import { SystemBench } from '../../board/system-testing.ts';

const sectorBytes = 128;
const sectors = 64;
const tableStart = [0xfe, 0xff, 0xff];

/** cmp al,command / jne over / jmp name */
const when = (command: number, name: string) => [0x3c, command, 0x75, 3, 0xe9, near(name)] as const;

/** A RAM disk of 64 sectors of 128 bytes. IOCTL writes: P protects it, C and U say that its medium was, or may have been, changed. */
const ramDisk = (attributes: number) =>
  com(
    [
      [word(0xffff), word(0xffff), word(attributes), at('strategy'), at('interrupt'), 0, '.......'],
      label('packet'),
      [0, 0, 0, 0],
      label('changed'),
      [1],
      label('builds'),
      [0],
      label('protected'),
      [0],
      label('table'),
      [at('parameters')],
      label('parameters'),
      [word(sectorBytes), 1, word(1), 1, word(16), word(sectors), 0xfe, word(1)],
      label('strategy'),
      [0x2e, 0x89, 0x1e, at('packet'), 0x2e, 0x8c, 0x06, at('packet', 2), 0xcb],
      label('interrupt'),
      [0x50, 0x53, 0x51, 0x56, 0x57, 0x1e, 0x06, 0xfc],
      [0xb8, word(0x1680), 0xcd, 0x2f], // INT 2Fh, which is DOS's too
      [0x2e, 0xc4, 0x1e, at('packet'), 0x26, 0xc7, 0x47, 0x03, 0x00, 0x01, 0x26, 0x8a, 0x47, 0x02],
      [when(0, 'init'), when(1, 'check'), when(2, 'build'), when(3, 'ask'), when(4, 'read'), when(8, 'write')],
      [when(12, 'tell'), when(15, 'fixed'), when(19, 'generic'), when(23, 'letter')],
      label('out'),
      [0x07, 0x1f, 0x5f, 0x5e, 0x59, 0x5b, 0x58, 0xcb],
      label('init'),
      [0x26, 0xc6, 0x47, 0x0d, 1, 0x26, 0xc7, 0x47, 0x0e, at('end'), 0x26, 0x8c, 0x4f, 0x10],
      [0x26, 0xc7, 0x47, 0x12, at('table'), 0x26, 0x8c, 0x4f, 0x14],
      [0x26, 0x8a, 0x57, 0x16, 0x80, 0xc2, 0x41, 0xb4, 0x02, 0xcd, 0x21, 0xe9, near('out')], // shows its letter
      label('check'),
      [0x2e, 0xa0, at('changed'), 0x26, 0x88, 0x47, 0x0e, 0x2e, 0xc6, 0x06, at('changed'), 1, 0xe9, near('out')],
      label('build'),
      [
        0x2e,
        0xfe,
        0x06,
        at('builds'),
        0x26,
        0xc7,
        0x47,
        0x12,
        at('parameters'),
        0x26,
        0x8c,
        0x4f,
        0x14,
        0xe9,
        near('out'),
      ],
      label('read'),
      [0x26, 0x8b, 0x47, 0x14, 0xb1, 7, 0xd3, 0xe0, 0x05, at('disk'), 0x89, 0xc6, 0xb9, word(64)],
      [0x26, 0xc4, 0x7f, 0x0e, 0x0e, 0x1f, 0xf3, 0xa5, 0xe9, near('out')],
      label('write'),
      [0x2e, 0x80, 0x3e, at('protected'), 0, 0x74, 9, 0x26, 0xc7, 0x47, 0x03, 0x00, 0x81, 0xe9, near('out')],
      [0x26, 0x8b, 0x47, 0x14, 0xb1, 7, 0xd3, 0xe0, 0x05, at('disk'), 0x89, 0xc7, 0xb9, word(64)],
      [0x26, 0xc5, 0x77, 0x0e, 0x0e, 0x07, 0xf3, 0xa5, 0xe9, near('out')],
      label('ask'),
      [0x2e, 0xa0, at('builds'), 0x04, 0x30, 0x26, 0xc4, 0x7f, 0x0e, 0xaa, 0xe9, near('out')],
      label('tell'),
      [0x26, 0xc5, 0x77, 0x0e, 0xac, 0x3c, 0x50, 0x75, 6, 0x2e, 0xfe, 0x06, at('protected'), 0x90],
      [
        0x3c,
        0x43,
        0x75,
        6,
        0x2e,
        0xc6,
        0x06,
        at('changed'),
        0xff,
        0x3c,
        0x55,
        0x75,
        6,
        0x2e,
        0xc6,
        0x06,
        at('changed'),
        0,
      ],
      [0xe9, near('out')],
      label('fixed'),
      [0x26, 0x80, 0x4f, 0x04, 0x02, 0xe9, near('out')],
      label('generic'),
      [0x26, 0x8b, 0x47, 0x0d, 0x26, 0xc4, 0x7f, 0x13, 0xab, 0xe9, near('out')], // category and function
      label('letter'),
      [0x26, 0xc6, 0x47, 0x01, 4, 0xe9, near('out')],
      label('disk'),
      [
        ...new Uint8Array(sectorBytes),
        ...tableStart,
        ...new Uint8Array(sectorBytes * (sectors - 1) - tableStart.length),
      ],
      label('end'),
    ],
    0,
  );

const everything = 0x4000 | 0x2000 | 0x0800 | 0x0040;
const withDisk = (files: Readonly<Record<string, Uint8Array | string>> = {}, attributes = everything) => ({
  'config.sys': 'device=ram.sys\r\n',
  'ram.sys': ramDisk(attributes),
  ...files,
});

/** mov ax,… / mov bl,4 / mov cx,… / mov dx,offset / int 21h: IOCTL of drive D:. */
const ioctl = (al: number, cx: number, block: string) => [[0xb3, 4, 0xb9, word(cx), 0xba, at(block)], dos(0x4400 | al)];

describe('a drive whose driver the guest brings', () => {
  test('is where DOS would put it, and files live on it', () => {
    const commands = ['copy long.txt d:', 'md d:\\sub', 'echo one>d:\\sub\\a.txt', 'echo two>>d:\\sub\\a.txt'];
    const more = ['type d:\\sub\\a.txt', 'ren d:\\long.txt other.txt', 'del d:\\sub\\a.txt', 'rd d:\\sub', 'dir d:'];
    const long = 'x'.repeat(1000);
    const bench = new SystemBench(withDisk({ 'long.txt': long }), [...commands, ...more]).run();
    expect(bench.screen.split('\n').map((line) => line.trim())).toEqual([
      'D        1 file(s) copied',
      'one',
      'two',
      '',
      'Volume in drive D has no label',
      'Directory of D:\\',
      '',
      'OTHER    TXT      1000 01-01-80  12:00a',
      '1 file(s)       1000 bytes',
      `${(58 - 8) * sectorBytes} bytes free`,
    ]);
    const drive = bench.system.kernel.dos.drives.guest(3) ?? expect.unreachable();
    // What the driver has in its memory, and not what we remember of it.
    const header = drive.disk.unit.driver;
    const disk = (header >>> 16) * 16 + withDisk()['ram.sys'].length - sectors * sectorBytes;
    const content = Array.from({ length: 1000 }, (_, index) => bench.byte(disk + 6 * sectorBytes + index));
    expect(String.fromCharCode(...content)).toBe(long);
  });

  test('comes after a CD-ROM drive, even one without a disc', () => {
    const commands = ['echo abc>e:\\a.txt', 'type e:\\a.txt'];
    const { screen, system } = new SystemBench(withDisk(), commands, { cdLetters: [3] }).run();
    expect(screen.trim()).toBe('Eabc');
    expect(system.kernel.dos.drives.find(3)?.kind).toBe('cdrom');
  });

  test('runs programs, takes their output and the keys they echo', () => {
    const hello = com([
      print('text'),
      [0xb4, 0x01, 0xcd, 0x21, 0xb4, 0x02, 0x88, 0xc2, 0xcd, 0x21],
      exit(7),
      label('text'),
      'Hello$',
    ]);
    const files = withDisk({ 'hello.com': hello, 'in.txt': 'k' });
    const commands = ['copy hello.com d:>nul', 'copy in.txt d:>nul', 'd:hello > d:out.txt', 'type d:out.txt'];
    const bench = new SystemBench(files, [...commands, 'd:hello < d:in.txt']).run(200_000);
    bench.type('Q');
    expect(bench.run().screen).toBe('DHelloQQHellokk');
    expect(bench.system.shell.errorLevel).toBe(7);
  });

  test('goes on in a snapshot, and is gone after a reset', () => {
    const bench = new SystemBench(withDisk(), ['echo abc>d:a.txt'], { interactive: true }).run(400_000);
    const saved = bench.system.kernel.save();
    bench.system.kernel.dos.drives.dropGuests();
    bench.system.kernel.restore(saved);
    bench.type('type d:a.txt\r');
    expect(bench.run(400_000).screen).toContain('abc');
    bench.system.kernel.powerOn();
    expect(bench.system.kernel.dos.drives.find(3)).toBeUndefined();
  });

  test('may use DOS itself while a call that needs many sectors is under way', () => {
    const dump = com([
      [0xba, at('name'), dos(0x3d00), 0x89, 0xc3, 0xb9, word(5000), 0xba, at('buffer'), 0xb4, 0x3f, 0xcd, 0x21],
      [0xa3, at('count'), 0xb8, word(0), 0x8e, 0xc0, 0xa1, at('count'), 0x26, 0xa3, word(0x4f0)],
      exit(),
      label('name'),
      'D:\\LONG.TXT\0',
      label('count'),
      word(0),
      label('buffer'),
    ]);
    const files = withDisk({ 'long.txt': 'x'.repeat(5000), 'dump.com': dump });
    const bench = new SystemBench({ ...files, 'config.sys': 'buffers=3\r\ndevice=ram.sys\r\n' }, [
      'copy long.txt d:>nul',
      'dump',
    ]).run();
    expect(bench.word(0x4f0)).toBe(5000);
  });

  test('has a parameter block that leads to the driver', () => {
    const { system } = new SystemBench(withDisk(), ['echo go']).run();
    const { memory, drives } = system.kernel.dos;
    const block = 0x800 + 0x0a00 + 3 * 33;
    expect([memory.read8(block + 1), memory.read16(block + 2), memory.read8(block + 0x17)]).toEqual([
      0,
      sectorBytes,
      0xfe,
    ]);
    expect(memory.read32(block + 0x13)).toBe(drives.guest(3)?.disk.unit.driver);
    // In the header, the number of units.
    expect(memory.read8((memory.read32(block + 0x13) >>> 16) * 16 + 10)).toBe(1);
  });

  test('tells when its medium was changed, and is asked what it is then', () => {
    const tell = (letter: string) =>
      com([
        ioctl(5, 1, 'letter'),
        // Two uses of the drive, then how often the parameters were asked for.
        [0xba, at('name'), dos(0x4300), 0xba, at('name'), dos(0x4300)],
        ioctl(4, 1, 'count'),
        print('count'),
        exit(),
        label('letter'),
        letter,
        label('name'),
        'D:\\A\0',
        label('count'),
        '.$',
      ]);
    const files = withDisk({ 'c.com': tell('C'), 'u.com': tell('U'), 'n.com': tell('-') });
    expect(new SystemBench(files, ['n', 'c', 'u', 'n']).run().screen).toBe('D0122');
  });

  test('fails as a disk does: INT 24h is told of the drive', () => {
    const protect = com([ioctl(5, 1, 'letter'), exit(), label('letter'), 'P']);
    const write = com([
      [0xb9, word(0), 0xba, at('name'), dos(0x3c00), 0xba, at('name'), dos(0x4300), 0x72, short('failed')],
      exit(),
      label('failed'),
      exit(3),
      label('name'),
      'D:\\A\0',
    ]);
    const bench = new SystemBench(withDisk({ 'p.com': protect, 'w.com': write }), ['p', 'w']).run(400_000);
    expect(bench.screen).toContain('Disk is write-protected writing drive D');
    bench.type('f');
    expect(bench.run().system.shell.errorLevel).toBe(3);
  });

  test('is read and written by sectors', () => {
    const raw = com([
      [0xb0, 3, 0xb9, word(1), 0xba, word(60), 0xbb, at('text'), 0xcd, 0x26, 0x5b, 0x72, short('bad')],
      [0xb0, 3, 0xb9, word(2), 0xba, word(59), 0xbb, at('buffer'), 0xcd, 0x25, 0x5b, 0x72, short('bad')],
      [0xc6, 0x06, at('buffer', sectorBytes + 3), 0x24, 0xba, at('buffer', sectorBytes), 0xb4, 9, 0xcd, 0x21],
      label('bad'),
      exit(),
      label('text'),
      'raw'.padEnd(sectorBytes),
      label('buffer'),
    ]);
    expect(new SystemBench(withDisk({ 'raw.com': raw }), ['raw']).run().screen).toBe('Draw');
  });

  test('answers IOCTL: control, removable, attributes, generic, logical letters', () => {
    const ask = com([
      ioctl(8, 0, 'text'),
      [0x04, 0x30, 0xa2, at('text')],
      ioctl(9, 0, 'text'),
      [0x89, 0x16, at('attributes')],
      ioctl(0x0d, 0x4860, 'text2'),
      ioctl(0x0e, 0, 'text'),
      [0x04, 0x30, 0xa2, at('text', 1)],
      ioctl(0x11, 0x4860, 'text'),
      [0x73, short('end'), 0x04, 0x30, 0xa2, at('text', 2)],
      label('end'),
      [0xa1, at('attributes'), 0x3d, word(everything), 0x74, 5, exit(9)],
      print('text'),
      exit(),
      label('attributes'),
      word(0),
      label('text'),
      '...',
      label('text2'),
      '..$',
    ]);
    expect(new SystemBench(withDisk({ 'ask.com': ask }), ['ask']).run().screen).toBe('D141H`');
    const without = new SystemBench(withDisk({ 'ask.com': ask }, 0x2000), ['ask']).run();
    expect(without.system.shell.errorLevel).toBe(9);
  });
});
