import { hex } from '../../../../formats/hex.ts';
import { MachineError } from '../../../../machine/errors.ts';
import type { DosSystem } from '../../board/dos-system.ts';
import { bda } from '../../services/bios/data-area.ts';
import { drivesMax } from '../../services/dos/layout.ts';
import { type ChipView, numberIn, onOff, type View } from './chip-view.ts';

const maxVectors = 256;
const firstLetter = 0x41;
const longestPath = 120;

/** DOS's own tables, and those of the BIOS. */
export function dosTables(system: DosSystem): readonly ChipView[] {
  return [
    {
      name: 'dos',
      description: 'the tables of our DOS',
      parts: [
        { name: 'memory', description: 'memory blocks with their owners', read: () => memoryBlocks(system) },
        {
          name: 'state',
          description: 'drive, running program, last error; {"drive":2} changes to C:',
          writable: ['drive'],
          read: () => state(system),
          write: (_, wanted) => {
            const drive = numberIn(wanted, 'drive', drivesMax - 1) ?? system.kernel.dos.area.currentDrive;
            if (system.kernel.dos.directories.valid(drive)) return [{ type: 'drive', drive }];
            throw new MachineError(
              'INVALID_ARGUMENT',
              `There is no drive ${letter(drive)}:.`,
              `Drives: ${drivesOf(system)}.`,
            );
          },
        },
        {
          name: 'directory',
          description: 'the current directory of a drive, 0 is A:; "text" is the path to change to',
          count: drivesMax,
          writable: ['path'],
          texts: ['path'],
          read: (drive) => directory(system, drive),
          write: (_, wanted) => {
            const path = String(wanted.path ?? '');
            if (path !== '' && path.length <= longestPath) return [{ type: 'directory', path }];
            throw new MachineError('INVALID_ARGUMENT', 'That is no path.', 'Give one such as C:\\GAMES.');
          },
        },
        { name: 'processes', description: 'the running program and its parents', read: () => processes(system) },
        { name: 'environment', description: 'of the running program', read: () => environment(system) },
        { name: 'files', description: 'open files and devices', read: () => files(system) },
        { name: 'vectors', description: 'interrupt vectors that lead somewhere', read: () => vectors(system) },
      ],
    },
    {
      name: 'bios',
      description: 'the data area of the BIOS at 400h',
      parts: [{ name: 'data', description: 'its words, by name', read: () => dataArea(system) }],
    },
  ];
}

const letter = (drive: number) => String.fromCharCode(firstLetter + drive);

function drivesOf({ kernel: { dos } }: DosSystem): string {
  const drives = Array.from({ length: drivesMax }, (_, drive) => drive);
  return drives
    .filter((drive) => dos.installed && dos.directories.valid(drive))
    .map((drive) => `${letter(drive)}:`)
    .join(' ');
}

function state(system: DosSystem): View {
  const { kernel } = system;
  const { dos } = kernel;
  if (!dos.installed) return { lines: ['another system was booted, or none yet'], numbers: { installed: false } };
  const { area } = dos;
  const [running] = kernel.view().processes;
  const drive = area.currentDrive;
  const numbers = {
    installed: true,
    version: '5.0',
    drive,
    drive_letter: letter(drive),
    drives: drivesOf(system),
    directory: dos.directories.get(drive),
    psp: area.currentProcess,
    program: running?.program ?? '',
    in_dos: area.inDos,
    transfer_area: area.transferArea,
    return_code: area.returnCode & 0xff,
    error: area.errorCode,
    break_check: area.breakCheck,
    verify: area.verify,
  };
  return {
    lines: [
      `DOS 5.0, drives ${numbers.drives}, at ${numbers.directory}, running ${numbers.program || 'nothing'} (PSP ${hex(numbers.psp, 4)})`,
      `in DOS ${numbers.in_dos}, last error ${numbers.error}, last return code ${numbers.return_code}, transfer area ${hex(numbers.transfer_area >>> 16, 4)}:${hex(numbers.transfer_area & 0xffff, 4)}, BREAK ${onOff(numbers.break_check)}, VERIFY ${onOff(numbers.verify)}`,
    ],
    numbers,
  };
}

function directory({ kernel: { dos } }: DosSystem, drive: number): View {
  if (!dos.installed || !dos.directories.valid(drive)) return { lines: [`no drive ${letter(drive)}:`] };
  const path = dos.directories.get(drive);
  return { lines: [path], numbers: { drive: letter(drive), path } };
}

function memoryBlocks({ kernel }: DosSystem): View {
  const { blocks } = kernel.view();
  return {
    lines: blocks.map(({ segment, paragraphs, owner, name }) => {
      const who = owner === 0 ? 'free' : `${hex(owner, 4)} ${name}`;
      return `${hex(segment, 4)}-${hex(segment + paragraphs, 4)} ${(paragraphs * 16).toLocaleString('en-US')} bytes, ${who}`;
    }),
    numbers: {
      segments: blocks.map(({ segment }) => segment),
      paragraphs: blocks.map(({ paragraphs }) => paragraphs),
      owners: blocks.map(({ owner }) => owner),
    },
  };
}

function processes({ kernel }: DosSystem): View {
  const chain = kernel.view().processes;
  const [running] = chain;
  return {
    lines: chain.map((process) => {
      const open = process.handles.map(({ handle, file }) => `${handle}=${file.drive}${file.name}`).join(' ');
      const started = `${process.program} ${process.arguments}`.trimEnd();
      return `${hex(process.segment, 4)} ${started}; handles ${open}`;
    }),
    numbers: {
      psp: running?.segment ?? 0,
      parent: running?.parent ?? 0,
      program: running?.program ?? '',
      arguments: running?.arguments ?? '',
      environment: running?.environment ?? [],
      handles: (running?.handles ?? []).map(({ handle }) => handle),
      files: (running?.handles ?? []).map(({ file }) => `${file.drive}${file.name}`),
    },
  };
}

function environment({ kernel }: DosSystem): View {
  return { lines: kernel.view().processes[0]?.environment ?? [] };
}

function files({ kernel }: DosSystem): View {
  return {
    lines: kernel.view().files.map(({ name, drive, position, size, owner, references }) => {
      const place = drive === '' ? 'device' : `at ${position} of ${size} bytes`;
      return `${drive}${name} ${place}, ${references} handles, opened by ${hex(owner, 4)}`;
    }),
  };
}

function vectors({ board: { memory } }: DosSystem): View {
  const word = (address: number) => memory.peek8(address) | (memory.peek8(address + 1) << 8);
  const lines = Array.from({ length: maxVectors }, (_, vector) => vector).flatMap((vector) => {
    const [offset, segment] = [word(vector * 4), word(vector * 4 + 2)];
    return offset === 0 && segment === 0 ? [] : [`${hex(vector, 2)}h ${hex(segment, 4)}:${hex(offset, 4)}`];
  });
  return { lines };
}

/** Widths of those that are no words. */
const dataBytes: Readonly<Partial<Record<keyof typeof bda, 1 | 4>>> = {
  shiftFlags: 1,
  shiftFlags2: 1,
  altKeypad: 1,
  diskStatus: 1,
  videoMode: 1,
  activePage: 1,
  videoControl: 1,
  cgaPalette: 1,
  ticks: 4,
  midnight: 1,
  breakFlag: 1,
  hardDiskStatus: 1,
  hardDisks: 1,
  lastRow: 1,
  videoOptions: 1,
  videoSwitches: 1,
  videoFlags: 1,
  displayCombination: 1,
  keyboardFlags3: 1,
  keyboardFlags4: 1,
  waitPointer: 4,
  waitMicroseconds: 4,
  waitActive: 1,
  videoSavePointer: 4,
};

function dataArea({ board: { memory } }: DosSystem): View {
  const rows = (Object.keys(bda) as (keyof typeof bda)[]).map((name) => {
    const width = dataBytes[name] ?? 2;
    let value = 0;
    for (let at = width - 1; at >= 0; at--) value = value * 256 + memory.peek8(bda[name] + at);
    return { name: name.replaceAll(/[A-Z]/g, (upper) => `_${upper.toLowerCase()}`), at: bda[name], width, value };
  });
  return {
    lines: rows.map(
      ({ name, at, width, value }) => `${hex(at, 3)}h ${hex(value, width * 2)} ${name.replaceAll('_', ' ')}`,
    ),
    numbers: Object.fromEntries(rows.map(({ name, value }) => [name, value])),
  };
}
