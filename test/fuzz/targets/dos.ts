import { deflateRawSync } from 'node:zlib';
import { omfModule } from '../../../src/formats/omf/omf-testing.ts';
import { OmfError, readOmf } from '../../../src/formats/omf/read-omf.ts';
import { MachineError } from '../../../src/machine/errors.ts';
import { assemble } from '../../../src/machines/dos/assembler/assemble.ts';
import { EffortExceeded } from '../../../src/machines/dos/assembler/source-error.ts';
import { DosError } from '../../../src/machines/dos/drives/dos-error.ts';
import type { Drive } from '../../../src/machines/dos/drives/drive.ts';
import { Disk } from '../../../src/machines/dos/drives/fat/disk.ts';
import { FatDrive } from '../../../src/machines/dos/drives/fat/fat-drive.ts';
import { floppyFormats, formatVolume } from '../../../src/machines/dos/drives/fat/format.ts';
import { findVolumes } from '../../../src/machines/dos/drives/fat/volume-layout.ts';
import { TreeDrive } from '../../../src/machines/dos/drives/tree-drive.ts';
import { ZipSource } from '../../../src/machines/dos/drives/zip-source.ts';
import { parseConfigSys } from '../../../src/machines/dos/services/dos/config-sys.ts';
import { isPacked, parseProgram, relocated } from '../../../src/machines/dos/services/dos/program-image.ts';
import { expandVariables, parseLine, splitCommand, splitWords } from '../../../src/machines/dos/shell/command-line.ts';
import { type FuzzTarget, fileOf, long, textOf, word } from '../fuzz-target.ts';

const stamp = 0x5a21_6000;

/** Looks at everything in a drive, and writes where it can be written to. */
function useDrive(drive: Drive): void {
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof DosError)) throw error;
      return undefined;
    }
  };
  const look = (start: number, path: readonly string[]) => {
    for (let slot = 0, seen = 0; seen < 300; seen++) {
      const entry = drive.scan(start, slot);
      if (!entry) return;
      slot = entry.slot + 1;
      attempt(() => drive.read(entry.id, 0, 4096));
      attempt(() => drive.read(entry.id, Math.max(0, entry.size - 1), 70_000));
      attempt(() => drive.lookup([...path, entry.name]));
      if (entry.attributes & 0x10 && path.length < 3 && !entry.name.startsWith('.')) {
        attempt(() => look(drive.directory([...path, entry.name]), [...path, entry.name]));
      }
    }
  };
  attempt(() => look(drive.directory([]), []));
  attempt(() => drive.label());
  attempt(() => drive.space());
  const made = attempt(() => drive.create(['NEW     TXT'], 0x20, stamp));
  if (made) attempt(() => drive.write(made.id, 0, new Uint8Array(5000), stamp));
  attempt(() => drive.makeDirectory(['SUB        '], stamp));
  attempt(() => drive.delete(['NEW     TXT']));
}

function floppy(): Uint8Array {
  const image = formatVolume(floppyFormats['360K']);
  const disk = new Disk(image);
  const [layout] = findVolumes(disk);
  if (!layout) throw new Error('a formatted floppy has a volume');
  const drive = new FatDrive(disk, layout);
  const file = drive.create(['HELLO   TXT'], 0x20, stamp);
  drive.write(file.id, 0, new Uint8Array(3000).fill(65), stamp);
  drive.makeDirectory(['GAMES      '], stamp);
  const whole = new Uint8Array(disk.sectors * 512);
  for (let sector = 0; sector < disk.sectors; sector++) whole.set(disk.read(sector), sector * 512);
  return whole;
}

function partitioned(): Uint8Array {
  const volume = floppy();
  const image = new Uint8Array(512 * 63 + volume.length);
  image.set([0x80, 1, 1, 0, 1, 1, 9, 39, ...long(63), ...long(volume.length / 512)], 0x1be);
  image.set([0x55, 0xaa], 510);
  image.set(volume, 512 * 63);
  return image;
}

function zip(): Uint8Array {
  const packed = deflateRawSync(Buffer.from('hello '.repeat(100)));
  const local = fileOf(
    30 + 9 + packed.length,
    [0, 'PK\x03\x04'],
    [4, word(20)],
    [8, word(8)],
    [18, long(packed.length)],
    [22, long(600)],
    [26, word(9)],
    [30, 'dir/a.txt'],
    [39, packed],
  );
  const entry = fileOf(
    46 + 9,
    [0, 'PK\x01\x02'],
    [10, word(8)],
    [20, long(packed.length)],
    [24, long(600)],
    [28, word(9)],
    [46, 'dir/a.txt'],
  );
  const end = fileOf(22, [0, 'PK\x05\x06'], [8, [1, 0, 1, 0]], [12, long(entry.length)], [16, long(local.length)]);
  return Buffer.concat([local, entry, end]);
}

const exe = () =>
  fileOf(
    600,
    [0, 'MZ'],
    [
      2,
      [...word(88), ...word(2), ...word(2), ...word(3), ...word(16), ...word(0xffff), ...word(1), ...word(256), 0, 0],
    ],
    [0x14, [...word(4), ...word(0), ...word(0x1c)]],
    [0x1c, [4, 0, 0, 0, 8, 0, 1, 0]],
    [48, [0xb8, 0, 0x4c, 0xcd, 0x21, 0x52, 0x42]],
  );

const source = `org 100h
start: mov ax, 0b800h
  mov es, ax
  mov byte [es:di+2], 'x'
again: loop again
  rep stosb
  db 'text', 13, 10, '$'
  dw start, again-start
  times 4 nop
len equ $ - start
  jmp short start
  int 21h
`;

export const dosTargets: readonly FuzzTarget[] = [
  {
    name: 'omf',
    seeds: () => [
      omfModule([0x55, 0xe8, 0, 0, 0x5d, 0xc3, 0x90, 0xc3], { _a: 0, _b: 6 }, [2], 6),
      Uint8Array.of(0xf0, 13, 0, ...new Uint8Array(13), ...omfModule([0xc3], { _one: 0 })),
    ],
    read: readOmf,
    refusals: [OmfError],
  },
  {
    name: 'fat',
    seeds: () => [floppy(), partitioned()],
    focus: [
      [0, 64],
      [446, 512],
      [512, 1600],
      [2560, 2800],
      [512 * 63, 512 * 63 + 64],
    ],
    read: (input) => {
      const disk = new Disk(input.slice());
      for (const layout of findVolumes(disk)) useDrive(new FatDrive(disk, layout));
    },
    refusals: [DosError],
  },
  {
    name: 'zip',
    seeds: () => [zip()],
    read: async (input) => useDrive(new TreeDrive(await ZipSource.open(input))),
    refusals: [DosError],
  },
  {
    name: 'exe',
    seeds: () => [exe(), Uint8Array.of(0xb4, 0x4c, 0xcd, 0x21)],
    focus: [[0, 40]],
    read: (input) => {
      const image = parseProgram(input);
      if (image.type === 'exe') return [relocated(image, 0x1000), isPacked(image)];
      return image;
    },
    refusals: [DosError],
  },
  {
    name: 'assembler-x86',
    seeds: () => [source],
    words: [
      'times 60000 ',
      'times ',
      'equ ',
      '[',
      ']',
      'es:',
      'dword ',
      '(',
      ')',
      '$',
      '$$',
      '+',
      '-',
      '*',
      '/ 0',
      '%',
      "'",
      'db ',
      'resb 60000',
      'org 0ffffh',
      'far ',
      'ax',
      'st0',
      '99999999999999999999',
    ],
    read: (input) => assemble(textOf(input), '80386', 200_000),
    refusals: [MachineError, EffortExceeded],
  },
  {
    name: 'config-sys',
    seeds: () => ['FILES=40\r\nDEVICE=C:\\A.SYS /X\r\nSHELL=C:\\COMMAND.COM /P\r\nDOS=HIGH,UMB\r\nLASTDRIVE=Z\r\n'],
    words: ['DEVICE=', 'DEVICEHIGH', 'FILES=', '\r\n', '\x1a', '=', 'SET A='],
    read: (input) => parseConfigSys(textOf(input)),
    refusals: [],
  },
  {
    name: 'dos-line',
    seeds: () => ['dir *.* /w | more > a.txt', 'copy a b < c', 'echo %PATH% %1 %%A'],
    words: ['|', '>', '>>', '<', '%', '"', '/', ' '],
    read: (input) => {
      const line = expandVariables(textOf(input), String, (name) => `<${name}>`);
      splitWords(splitCommand(line).tail);
      return parseLine(line, () => 'T.TMP');
    },
    refusals: [],
  },
];
