import { hex } from '../../../../../formats/hex.ts';
import type { Guest, GuestMemory } from '../../guest.ts';
import type { Hardware } from '../bios-wires.ts';
import { romTables } from '../rom-layout.ts';
import { type FunctionTable, rowByAh, type ServiceRow } from '../service-row.ts';
import { joystick } from './joystick.ts';
import { type PointingDevice, pointingDevice } from './pointing-device.ts';
import { eventWait, wait } from './wait.ts';

export interface SystemContext extends Hardware {
  readonly pointer: PointingDevice;
  /** Positions of both joysticks' axes, 0 to 255; 0 where there is none. */
  joystickAxes(): readonly number[];
  /** Kilobytes above the first megabyte that INT 15h hands out. */
  extendedKilobytes(): number;
}

const a20Names = ['off', 'on', 'read', 'how'];

const functions: FunctionTable<SystemContext> = [
  {
    number: 0x24,
    name: 'A20',
    details: (g) => a20Names[g.al] ?? 'unknown',
    run({ ports }, guest) {
      if (guest.al > 3) return fail(guest, 0x86);
      const value = ports.read8(0x92);
      if (guest.al < 2) ports.write8(0x92, (value & ~3) | (guest.al << 1));
      else if (guest.al === 2) guest.al = (value >> 1) & 1;
      else guest.bx = 3;
      guest.ah = 0;
      guest.carry = false;
      return 'done';
    },
  },
  { number: 0x4f, name: 'keyboard intercept', details: (g) => `${hex(g.al, 2)}h`, run: () => 'done' },
  { number: 0x83, ...eventWait },
  { number: 0x84, ...joystick },
  { number: 0x85, name: 'SysRq key', run: succeed },
  { number: 0x86, ...wait },
  {
    number: 0x87,
    name: 'move block',
    details: (g) => `${g.cx} words, table at ${hex(g.es, 4)}:${hex(g.si, 4)}`,
    run({ memory, ports }, guest) {
      const table = (guest.es << 4) + guest.si;
      const a20 = ports.read8(0x92);
      ports.write8(0x92, a20 | 2);
      const bytes = memory.bytes(descriptorBase(memory, table + 0x10), guest.cx * 2);
      memory.write(descriptorBase(memory, table + 0x18), bytes);
      ports.write8(0x92, a20);
      return succeed(undefined, guest);
    },
  },
  {
    number: 0x88,
    name: 'extended memory size',
    run({ extendedKilobytes }, guest) {
      guest.ax = Math.min(extendedKilobytes(), 0xffff);
      guest.carry = false;
      return 'done';
    },
  },
  { number: 0x90, name: 'device busy', details: (g) => hex(g.al, 2), run: succeed },
  { number: 0x91, name: 'device ready', details: (g) => hex(g.al, 2), run: succeed },
  {
    number: 0xc0,
    name: 'configuration',
    run(_, guest) {
      guest.es = 0xf000;
      guest.bx = romTables.configuration;
      return succeed(undefined, guest);
    },
  },
  { number: 0xc2, ...pointingDevice },
  {
    number: 0xe8,
    name: 'extended memory size',
    details: (g) => `al=${hex(g.al, 2)}`,
    run({ extendedKilobytes }, guest) {
      if (guest.al !== 1) return fail(guest, 0x86);
      const kilobytes = extendedKilobytes();
      guest.ax = guest.cx = Math.min(kilobytes, 15 * 1024);
      guest.bx = guest.dx = Math.floor(Math.max(0, kilobytes - 15 * 1024) / 64);
      guest.carry = false;
      return 'done';
    },
  },
];

/** INT 15h. */
export const systemService = (context: SystemContext): ServiceRow =>
  rowByAh(0x15, 'system', context, functions, (guest) => {
    fail(guest, 0x86);
  });

function succeed(_: unknown, guest: Guest): 'done' {
  guest.ah = 0;
  guest.carry = false;
  return 'done';
}

function fail(guest: Guest, status: number): 'done' {
  guest.ah = status;
  guest.carry = true;
  return 'done';
}

/** Base address of a segment descriptor as the 286 has it, with the 386's last byte. */
function descriptorBase(memory: GuestMemory, at: number): number {
  return memory.read16(at + 2) | (memory.read8(at + 4) << 16) | (memory.read8(at + 7) << 24);
}
