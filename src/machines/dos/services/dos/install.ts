import type { ConfigSys } from './config-sys.ts';
import { setCountry, writeCountryTables } from './country.ts';
import { interruptBytes, interruptEntries } from './devices.ts';
import type { Dos } from './dos.ts';
import type { DosSetup, UpperMemory } from './dos-setup.ts';
import { writeDriveParameters } from './drive-parameters.ts';
import { environmentBytes } from './environment.ts';
import { type FarPointer, linear, packFar } from './far-pointer.ts';
import { writeText } from './guest-text.ts';
import {
  at,
  commandParagraphs,
  commandSegment,
  dosSegment,
  drivesMax,
  firstBlockSegment,
  firstFreeBlock,
  openFilesMax,
  sizes,
} from './layout.ts';
import { psp } from './processes.ts';

const systemOwner = 8;
const usualBuffers = 20;
const returnPointBytes = 6;
const environmentParagraphs = 0x40;
/** Offsets of code in dosSegment: see code(). */
export const codeOffsets = {
  strategy: at.code,
  command: at.code + 0x20,
  farCall: at.code + 0x30,
  devices: at.code + 0x40,
  packet: at.code + 0xf0,
} as const;

export interface KernelStubs {
  readonly command: FarPointer;
  readonly farCall: FarPointer;
  /** By the names of their entries. */
  readonly returns: ReadonlyMap<string, FarPointer>;
  readonly device: FarPointer;
}

/** Lays out everything that programs can see of the kernel in freshly cleared memory. */
export function installKernel(dos: Dos, stubs: KernelStubs, setup: DosSetup): void {
  const { memory, area, processes } = dos;
  memory.write(linear(dosSegment, 0), new Uint8Array(at.end));
  writeCode(dos, stubs);
  writeReturnPoints(dos, stubs);
  writeCountryTables(memory);
  const { country, codePage } = setup.config ?? {};
  if (country !== undefined && !setCountry(memory, country, codePage))
    dos.startup.warn('Invalid country code or code page');
  dos.devices.install(codeOffsets.strategy, codeOffsets.devices, drivesMax);
  for (let drive = 0; drive < drivesMax; drive++)
    dos.directories.reset(drive, drive < 2 || present(dos, drive), isCd(dos, drive));
  for (let drive = 0; drive < drivesMax; drive++) writeDriveParameters(dos, drive);
  writeBlocks(dos, setup.upper);
  writeListOfLists(dos, setup.config ?? {});
  area.breakCheck = setup.config?.breakCheck ?? false;
  area.switchCharacter = 0x2f;
  area.currentDrive = 2;
  area.currentProcess = commandSegment;
  area.transferArea = ((commandSegment << 16) | psp.tail) >>> 0;
  writeCommand(dos);
  processes.setLong(commandSegment, psp.stack, ((dosSegment << 16) | (at.commandStackTop - 24)) >>> 0);
}

function present(dos: Dos, drive: number): boolean {
  return dos.drives.find(drive) !== undefined;
}

function isCd(dos: Dos, drive: number): boolean {
  return dos.drives.find(drive)?.kind === 'cdrom';
}

function writeBlocks({ blocks, wiring }: Dos, upper: UpperMemory | undefined): void {
  const environment = firstFreeBlock;
  const free = environment + environmentParagraphs + 1;
  blocks.write(firstBlockSegment, commandSegment, commandParagraphs, false);
  blocks.setOwner(commandSegment, commandSegment, 'COMMAND');
  const system = commandSegment + commandParagraphs;
  blocks.write(system, systemOwner, environment - system - 1, false);
  blocks.setOwner(system + 1, systemOwner, 'SD');
  blocks.write(environment, commandSegment, environmentParagraphs, false);
  const { topSegment } = wiring;
  blocks.write(free, 0, topSegment - free - (upper === undefined ? 1 : 2), true);
  if (upper === undefined) blocks.withoutUpper();
  else blocks.installUpper(topSegment, upper.first, upper.end);
}

function writeListOfLists({ memory, devices }: Dos, { files: most, buffers }: Partial<ConfigSys>): void {
  const list = linear(dosSegment, at.listOfLists);
  const here = (offset: number) => packFar({ segment: dosSegment, offset });
  memory.write16(list - 2, firstBlockSegment);
  memory.write32(list, here(at.drives));
  memory.write32(list + 0x04, here(at.files));
  memory.write32(list + 0x08, packFar(devices.address('CLOCK$')));
  memory.write32(list + 0x0c, packFar(devices.address('CON')));
  memory.write16(list + 0x10, 512);
  memory.write32(list + 0x12, here(at.transfer));
  memory.write32(list + 0x16, here(at.directories));
  memory.write32(list + 0x1a, here(at.fcbFiles));
  memory.write8(list + 0x20, drivesMax);
  memory.write8(list + 0x21, drivesMax);
  memory.write16(list + 0x3f, buffers ?? usualBuffers);
  memory.write8(list + 0x43, 3);
  memory.write8(list + 0x44, 1);
  const files = linear(dosSegment, at.files);
  memory.write32(files, here(at.moreFiles));
  memory.write16(files + 4, sizes.firstFiles);
  const more = linear(dosSegment, at.moreFiles);
  memory.write32(more, 0xffff_ffff);
  memory.write16(more + 4, Math.min(most ?? openFilesMax, openFilesMax) - sizes.firstFiles);
  const fcbs = linear(dosSegment, at.fcbFiles);
  memory.write32(fcbs, 0xffff_ffff);
  memory.write16(fcbs + 4, 0);
}

function writeCommand(dos: Dos): void {
  const { processes, handles, devices, memory, wiring } = dos;
  processes.create(commandSegment, commandSegment, commandSegment + commandParagraphs);
  const environment = firstFreeBlock + 1;
  processes.setWord(commandSegment, psp.environment, environment);
  memory.write(linear(environment, 0), environmentBytes(wiring.environment, undefined));
  for (const name of ['CON', 'CON', 'CON', 'AUX', 'PRN']) {
    const device = devices.find(name);
    if (device !== undefined) handles.attach(handles.openDevice(device, 2));
  }
}

/** The code that handlers return to: pushf / jmp far, so that services find the flags on the stack. */
function writeReturnPoints({ memory, entries }: Dos, stubs: KernelStubs): void {
  [...stubs.returns].forEach(([name, stub], index) => {
    const offset = at.returnPoints + index * returnPointBytes;
    memory.write(linear(dosSegment, offset), Uint8Array.of(0x9c, 0xea, ...far(stub)));
    entries.set(name, { segment: dosSegment, offset });
  });
}

function far({ segment, offset }: FarPointer): number[] {
  return [offset & 0xff, offset >> 8, segment & 0xff, segment >> 8];
}

function writeCode({ memory }: Dos, stubs: KernelStubs): void {
  const put = (offset: number, ...bytes: number[]) => memory.write(linear(dosSegment, offset), Uint8Array.from(bytes));
  const packet = codeOffsets.packet;
  // mov cs:[packet],bx / mov cs:[packet+2],es / retf
  put(codeOffsets.strategy, 0x2e, 0x89, 0x1e, packet & 0xff, packet >> 8);
  put(codeOffsets.strategy + 5, 0x2e, 0x8c, 0x06, (packet + 2) & 0xff, packet >> 8, 0xcb);
  // sti / pushf / call far / jmp back
  put(codeOffsets.command, 0xfb, 0x9c, 0x9a, ...far(stubs.command), 0xeb, 0xf7);
  put(codeOffsets.farCall, 0xea, ...far(stubs.farCall));
  for (let entry = 0; entry < interruptEntries; entry++) {
    put(codeOffsets.devices + entry * interruptBytes, 0x9c, 0x9a, ...far(stubs.device), 0xcb);
  }
  // CALL 5 arrives at 0:00C0, or after the first megabyte when that does not wrap.
  for (const address of [0x0000c0, 0x1000c0]) {
    memory.write(address, Uint8Array.of(0xea, ...far({ segment: dosSegment, offset: codeOffsets.farCall })));
  }
  writeText(memory, linear(dosSegment, 0), 'frontpanel DOS');
}
