import { hex } from '../../../../../formats/hex.ts';
import type { GuestMemory } from '../../guest.ts';
import type { Hardware, PortBus } from '../bios-wires.ts';
import { bda } from '../data-area.ts';
import { type FunctionTable, plainRow, rowByAh, type ServiceRow } from '../service-row.ts';

/** Ticks of 18.2 Hz in a day. */
const DAY = 0x1800b0;

/** The first part of INT 08h; the ROM goes on with INT 1Ch and the end of interrupt. */
export const timerInterrupt = (memory: GuestMemory): ServiceRow =>
  plainRow(0x08, 'timer tick', () => {
    const ticks = memory.read32(bda.ticks) + 1;
    if (ticks >= DAY) memory.write8(bda.midnight, 1);
    memory.write32(bda.ticks, ticks >= DAY ? 0 : ticks);
    return 'done';
  });

function readClock(ports: PortBus, index: number): number {
  ports.write8(0x70, index);
  return ports.read8(0x71);
}

function writeClock(ports: PortBus, index: number, value: number): void {
  ports.write8(0x70, index);
  ports.write8(0x71, value);
}

const fromBcd = (value: number) => (value >> 4) * 10 + (value & 15);

/** Sets the count of ticks by the real-time clock, as at power on. */
export function setTicksFromClock({ memory, ports }: Hardware): void {
  const [hours = 0, minutes = 0, seconds = 0] = [4, 2, 0].map((index) => fromBcd(readClock(ports, index)));
  memory.write32(bda.ticks, Math.floor(((hours * 60 + minutes) * 60 + seconds) * (1_193_182 / 65_536)));
  memory.write8(bda.midnight, 0);
}

const functions: FunctionTable<Hardware> = [
  {
    number: 0x00,
    name: 'read ticks',
    poll: true,
    result: (g) => `${((g.cx << 16) | g.dx) >>> 0}${g.al === 0 ? '' : ', midnight has passed'}`,
    run({ memory }, guest) {
      guest.dx = memory.read16(bda.ticks);
      guest.cx = memory.read16(bda.ticks + 2);
      guest.al = memory.read8(bda.midnight);
      memory.write8(bda.midnight, 0);
      return 'done';
    },
  },
  {
    number: 0x01,
    name: 'set ticks',
    details: (g) => `${hex(g.cx, 4)}${hex(g.dx, 4)}h`,
    run({ memory }, guest) {
      memory.write16(bda.ticks, guest.dx);
      memory.write16(bda.ticks + 2, guest.cx);
      memory.write8(bda.midnight, 0);
      return 'done';
    },
  },
  {
    number: 0x02,
    name: 'read clock time',
    poll: true,
    result: (g) => `${hex(g.ch, 2)}:${hex(g.cl, 2)}:${hex(g.dh, 2)}`,
    run({ ports }, guest) {
      guest.ch = readClock(ports, 4);
      guest.cl = readClock(ports, 2);
      guest.dh = readClock(ports, 0);
      guest.dl = readClock(ports, 0x0b) & 1;
      guest.carry = false;
      return 'done';
    },
  },
  {
    number: 0x03,
    name: 'set clock time',
    details: (g) => `${hex(g.ch, 2)}:${hex(g.cl, 2)}:${hex(g.dh, 2)}`,
    run({ ports }, guest) {
      const control = readClock(ports, 0x0b);
      writeClock(ports, 0x0b, control | 0x80);
      writeClock(ports, 4, guest.ch);
      writeClock(ports, 2, guest.cl);
      writeClock(ports, 0, guest.dh);
      writeClock(ports, 0x0b, (control & 0x7e) | (guest.dl & 1));
      guest.carry = false;
      return 'done';
    },
  },
  {
    number: 0x04,
    name: 'read clock date',
    poll: true,
    result: (g) => `${hex(g.cx, 4)}-${hex(g.dh, 2)}-${hex(g.dl, 2)}`,
    run({ ports }, guest) {
      guest.ch = readClock(ports, 0x32);
      guest.cl = readClock(ports, 9);
      guest.dh = readClock(ports, 8);
      guest.dl = readClock(ports, 7);
      guest.carry = false;
      return 'done';
    },
  },
  {
    number: 0x05,
    name: 'set clock date',
    details: (g) => `${hex(g.cx, 4)}-${hex(g.dh, 2)}-${hex(g.dl, 2)}`,
    run({ ports }, guest) {
      const control = readClock(ports, 0x0b);
      writeClock(ports, 0x0b, control | 0x80);
      writeClock(ports, 0x32, guest.ch);
      writeClock(ports, 9, guest.cl);
      writeClock(ports, 8, guest.dh);
      writeClock(ports, 7, guest.dl);
      writeClock(ports, 0x0b, control & 0x7f);
      guest.carry = false;
      return 'done';
    },
  },
  {
    number: 0x06,
    name: 'set alarm',
    details: (g) => `${hex(g.ch, 2)}:${hex(g.cl, 2)}:${hex(g.dh, 2)}`,
    run({ ports }, guest) {
      const control = readClock(ports, 0x0b);
      guest.carry = (control & 0x20) !== 0;
      if (guest.carry) return 'done';
      writeClock(ports, 5, guest.ch);
      writeClock(ports, 3, guest.cl);
      writeClock(ports, 1, guest.dh);
      writeClock(ports, 0x0b, control | 0x20);
      ports.write8(0xa1, ports.read8(0xa1) & ~1);
      return 'done';
    },
  },
  {
    number: 0x07,
    name: 'cancel alarm',
    run({ ports }, guest) {
      writeClock(ports, 0x0b, readClock(ports, 0x0b) & ~0x20);
      guest.carry = false;
      return 'done';
    },
  },
];

/** INT 1Ah. */
export const clockService = (hardware: Hardware): ServiceRow =>
  rowByAh(0x1a, 'time of day', hardware, functions, (guest) => {
    guest.carry = true;
  });
