import { hex } from '../../../formats/hex.ts';
import type { Chip, ChipReading, ChipsCapability } from '../../../machine/chips.ts';
import type { DosSystem } from '../board/dos-system.ts';
import { DosError } from '../drives/dos-error.ts';
import { describeNumeric } from './numeric-registers.ts';

type Part = { readonly name: string; readonly description: string; read(): readonly string[] };

const maxVectors = 256;

/** DOS's own tables, and what the chips of the PC are set to. */
export class DosChips implements ChipsCapability {
  readonly chips: readonly Chip[];

  constructor(system: DosSystem) {
    this.chips = [
      chip('dos', 'the tables of our DOS', [
        { name: 'memory', description: 'memory blocks with their owners', read: () => memoryBlocks(system) },
        { name: 'processes', description: 'the running program and its parents', read: () => processes(system) },
        { name: 'environment', description: 'of the running program', read: () => environment(system) },
        { name: 'files', description: 'open files and devices', read: () => files(system) },
        { name: 'vectors', description: 'interrupt vectors that lead somewhere', read: () => vectors(system) },
      ]),
      chip('vga', 'video registers', [
        { name: 'registers', description: 'all of them, as they were last written', read: () => vga(system) },
      ]),
      ...coprocessor(system),
      chip('timer', '8254', [{ name: 'registers', description: 'reload values', read: () => timer(system) }]),
      chip('pic', 'two 8259', [{ name: 'registers', description: 'masks', read: () => pic(system) }]),
      chip('clock', 'MC146818', [{ name: 'registers', description: 'time and memory', read: () => clock(system) }]),
    ];
  }
}

function chip(name: string, description: string, parts: readonly Part[]): Chip {
  return {
    name,
    description,
    parts: parts.map((part) => ({ name: part.name, description: part.description, count: 1, hasPicture: false })),
    async read(wanted): Promise<ChipReading> {
      const part = parts.find((each) => each.name === wanted);
      const lines = part ? linesOf(part) : [];
      return { lines, values: { lines: lines.length } };
    },
  };
}

/** Tables that DOS has not made yet, or that a program has written over, are no fault of the reader. */
function linesOf({ read }: Part): readonly string[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof DosError) return [`cannot be read now: ${error.message}`];
    throw error;
  }
}

function coprocessor({ board: { fpu } }: DosSystem): readonly Chip[] {
  if (!fpu) return [];
  const description = 'its stack, control and status';
  return [
    chip('fpu', `${fpu.model} coprocessor`, [{ name: 'registers', description, read: () => describeNumeric(fpu) }]),
  ];
}

function memoryBlocks({ kernel }: DosSystem): readonly string[] {
  return kernel.view().blocks.map(({ segment, paragraphs, owner, name }) => {
    const who = owner === 0 ? 'free' : `${hex(owner, 4)} ${name}`;
    return `${hex(segment, 4)}-${hex(segment + paragraphs, 4)} ${(paragraphs * 16).toLocaleString('en-US')} bytes, ${who}`;
  });
}

function processes({ kernel }: DosSystem): readonly string[] {
  return kernel.view().processes.map((process) => {
    const open = process.handles.map(({ handle, file }) => `${handle}=${file.drive}${file.name}`).join(' ');
    const started = `${process.program} ${process.arguments}`.trimEnd();
    return `${hex(process.segment, 4)} ${started}; handles ${open}`;
  });
}

function environment({ kernel }: DosSystem): readonly string[] {
  return kernel.view().processes[0]?.environment ?? [];
}

function files({ kernel }: DosSystem): readonly string[] {
  return kernel.view().files.map(({ name, drive, position, size, owner, references }) => {
    const place = drive === '' ? 'device' : `at ${position} of ${size} bytes`;
    return `${drive}${name} ${place}, ${references} handles, opened by ${hex(owner, 4)}`;
  });
}

function vectors({ board: { memory } }: DosSystem): readonly string[] {
  const word = (address: number) => memory.peek8(address) | (memory.peek8(address + 1) << 8);
  return Array.from({ length: maxVectors }, (_, vector) => vector).flatMap((vector) => {
    const [offset, segment] = [word(vector * 4), word(vector * 4 + 2)];
    return offset === 0 && segment === 0 ? [] : [`${hex(vector, 2)}h ${hex(segment, 4)}:${hex(offset, 4)}`];
  });
}

function vga({ board: { vga: video } }: DosSystem): readonly string[] {
  return video.describe();
}

function timer({ board: { pit } }: DosSystem): readonly string[] {
  return [0, 1, 2].map((counter) => `counter ${counter}: ${pit.reload(counter) || 65_536}`);
}

function pic({ board }: DosSystem): readonly string[] {
  const mask = (port: number) => board.pic.peek(port).toString(2).padStart(8, '0');
  return [
    `masks ${mask(0xa1)} ${mask(0x21)} (IRQ 15 to 0, 1 is off)`,
    `interrupt line ${board.pic.int ? 'up' : 'down'}`,
  ];
}

function clock({ board: { rtc } }: DosSystem): readonly string[] {
  const { year, month, day, hour, minute, second } = rtc.time;
  const two = (value: number) => String(value).padStart(2, '0');
  const bytes = Array.from({ length: 0x40 }, (_, index) => hex(rtc.peek(index), 2));
  return [`${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`, bytes.join(' ')];
}
