import type { Guest, ServiceOutcome } from '../guest.ts';
import type { Hardware, PortBus } from './bios-wires.ts';
import { bda, vectorAddress } from './data-area.ts';
import { interruptOffset } from './rom.ts';
import { romFonts, romTables } from './rom-layout.ts';
import { setTicksFromClock } from './system/timer.ts';
import type { VideoBios } from './video/video-bios.ts';

/** What the machine has, for the equipment word, the data area and the CMOS memory. */
export interface MachineSize {
  readonly conventionalKilobytes: number;
  readonly extendedKilobytes: number;
  readonly floppyDrives: number;
  readonly hardDisks: number;
  /** Addresses of the serial and parallel ports there are. */
  readonly serialPorts: readonly number[];
  readonly parallelPorts: readonly number[];
  readonly coprocessor: boolean;
  readonly gameport: boolean;
}

const ROM_SEGMENT = 0xf000;

/** What lies between reset and INT 19h: vectors, data area, chips. The stack is below the data area, as IBM's was. */
export function powerOnSelfTest(
  hardware: Hardware & { readonly size: MachineSize },
  video: VideoBios,
  guest: Guest,
): ServiceOutcome {
  guest.ss = 0x30;
  guest.sp = 0x100;
  guest.ds = 0x40;
  setVectors(hardware);
  setDataArea(hardware, hardware.size);
  setChips(hardware.ports, hardware.size);
  setCmos(hardware.ports, hardware.size);
  setTicksFromClock(hardware);
  video.setMode(3);
  return 'done';
}

function setVectors({ memory }: Hardware): void {
  const point = (interrupt: number, offset: number, segment = ROM_SEGMENT) => {
    memory.write16(vectorAddress(interrupt), offset);
    memory.write16(vectorAddress(interrupt) + 2, segment);
  };
  for (let interrupt = 0; interrupt < 0x78; interrupt++) point(interrupt, interruptOffset(interrupt));
  // 60h-67h are for users: nothing there.
  for (let interrupt = 0x60; interrupt <= 0x67; interrupt++) point(interrupt, 0, 0);
  for (let interrupt = 0x78; interrupt < 0x100; interrupt++) point(interrupt, 0, 0);
  point(0x1d, romTables.videoParameters);
  point(0x1e, romTables.diskParameters);
  point(0x1f, romFonts.upper8);
  point(0x43, romFonts.font16);
  point(0x41, 0, 0);
  point(0x46, 0, 0);
}

function setDataArea({ memory }: Hardware, size: MachineSize): void {
  const warm = memory.read16(bda.resetFlag);
  memory.write(0x400, new Uint8Array(0x100));
  memory.write16(bda.resetFlag, warm);
  size.serialPorts.slice(0, 4).forEach((port, index) => {
    memory.write16(bda.serialPorts + index * 2, port);
    memory.write8(bda.serialTimeouts + index, 1);
  });
  size.parallelPorts.slice(0, 3).forEach((port, index) => {
    memory.write16(bda.parallelPorts + index * 2, port);
    memory.write8(bda.parallelTimeouts + index, 20);
  });
  memory.write16(bda.equipment, equipment(size));
  memory.write16(bda.memoryKilobytes, size.conventionalKilobytes);
  memory.write16(bda.keyboardBufferStart, bda.keyboardBuffer - 0x400);
  memory.write16(bda.keyboardBufferEnd, bda.keyboardBuffer - 0x400 + 32);
  memory.write16(bda.keyboardHead, bda.keyboardBuffer - 0x400);
  memory.write16(bda.keyboardTail, bda.keyboardBuffer - 0x400);
  memory.write8(bda.keyboardFlags3, 0x10);
  memory.write8(bda.hardDisks, size.hardDisks);
  memory.write16(bda.videoSavePointer, romTables.videoSavePointers);
  memory.write16(bda.videoSavePointer + 2, ROM_SEGMENT);
}

/** Bit 2 is the pointing device; video starts with 80 columns in colour. */
function equipment(size: MachineSize): number {
  const floppies = size.floppyDrives > 0 ? 1 | ((size.floppyDrives - 1) << 6) : 0;
  return (
    floppies |
    (size.coprocessor ? 2 : 0) |
    0x24 |
    (size.serialPorts.length << 9) |
    (size.gameport ? 0x1000 : 0) |
    (size.parallelPorts.length << 14)
  );
}

function setChips(ports: PortBus, { coprocessor }: MachineSize): void {
  const out = (port: number, ...values: readonly number[]) => {
    for (const value of values) ports.write8(port, value);
  };
  // The timer first: the interrupt controller then forgets the edge that its output makes.
  out(0x43, 0x36);
  out(0x40, 0, 0);
  out(0x43, 0x54);
  out(0x41, 18);
  out(0x43, 0xb6);
  out(0x42, 0x33, 0x05);
  out(0x20, 0x11);
  out(0x21, 0x08, 0x04, 0x01);
  out(0xa0, 0x11);
  out(0xa1, 0x70, 0x02, 0x01);
  // On: timer, keyboard, slave, floppy; clock, mouse driver, mouse, coprocessor.
  out(0x21, 0xb8);
  out(0xa1, coprocessor ? 0xc6 : 0xe6);
  out(0x61, 0x0c);
  // Cascade of the second DMA controller.
  out(0xd6, 0xc0);
  out(0xd4, 0);
}

function setCmos(ports: PortBus, size: MachineSize): void {
  const set = (index: number, value: number) => {
    ports.write8(0x70, index);
    ports.write8(0x71, value & 0xff);
  };
  set(0x0a, 0x26);
  set(0x0b, 0x02);
  const drive = (number: number) => (size.floppyDrives > number ? 4 : 0);
  const values: [number, number][] = [
    [0x10, (drive(0) << 4) | drive(1)],
    [0x12, size.hardDisks > 0 ? 0xf0 | (size.hardDisks > 1 ? 0x0f : 0) : 0],
    [0x14, equipment(size)],
    [0x15, size.conventionalKilobytes],
    [0x16, size.conventionalKilobytes >> 8],
    [0x17, Math.min(size.extendedKilobytes, 0xffff)],
    [0x18, Math.min(size.extendedKilobytes, 0xffff) >> 8],
  ];
  for (const [index, value] of values) set(index, value);
  const sum = values.reduce((total, [, value]) => total + (value & 0xff), 0);
  set(0x2e, sum >> 8);
  set(0x2f, sum);
  set(0x30, Math.min(size.extendedKilobytes, 0xffff));
  set(0x31, Math.min(size.extendedKilobytes, 0xffff) >> 8);
}
