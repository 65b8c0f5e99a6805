import type { Guest } from '../../guest.ts';
import type { Hardware } from '../bios-wires.ts';
import { bda } from '../data-area.ts';
import { interruptOffset } from '../rom.ts';
import { type FunctionTable, quoted, rowByAh, type ServiceRow } from '../service-row.ts';

const LINE_STATUS = 5;
const MODEM_STATUS = 6;
const TIMED_OUT = 0x80;
const divisors = [1047, 768, 384, 192, 96, 48, 24, 12];

/** The port's address, 0 where there is none. */
const baseOf = ({ memory }: Hardware, guest: Guest) =>
  guest.dx < 4 ? memory.read16(bda.serialPorts + guest.dx * 2) : 0;

function status({ ports }: Hardware, base: number, guest: Guest): void {
  guest.ah = ports.read8(base + LINE_STATUS);
  guest.al = ports.read8(base + MODEM_STATUS);
}

const functions: FunctionTable<Hardware> = [
  {
    number: 0x00,
    name: 'set up port',
    details: (g) => `COM${g.dx + 1} ${[110, 150, 300, 600, 1200, 2400, 4800, 9600][g.al >> 5]} baud`,
    run(hardware, guest) {
      const base = baseOf(hardware, guest);
      if (base === 0) return 'done';
      const { ports } = hardware;
      const divisor = divisors[guest.al >> 5] ?? 12;
      ports.write8(base + 3, 0x80);
      ports.write8(base, divisor & 0xff);
      ports.write8(base + 1, divisor >> 8);
      ports.write8(base + 3, guest.al & 0x1f);
      ports.write8(base + 1, 0);
      status(hardware, base, guest);
      return 'done';
    },
  },
  {
    number: 0x01,
    name: 'send byte',
    details: (g) => `COM${g.dx + 1} ${quoted(g.al)}`,
    run(hardware, guest) {
      const base = baseOf(hardware, guest);
      if (base === 0) {
        guest.ah = TIMED_OUT;
        return 'done';
      }
      const { ports } = hardware;
      ports.write8(base + 4, 3);
      // Busy: asked again by the next instruction, as a loop would do it.
      if ((ports.read8(base + LINE_STATUS) & 0x20) === 0) {
        guest.cs = 0xf000;
        guest.ip = interruptOffset(0x14);
        return 'jump';
      }
      ports.write8(base, guest.al);
      guest.ah = ports.read8(base + LINE_STATUS) & 0x7f;
      return 'done';
    },
  },
  {
    number: 0x02,
    name: 'receive byte',
    details: (g) => `COM${g.dx + 1}`,
    run(hardware, guest) {
      const base = baseOf(hardware, guest);
      const line = base === 0 ? 0 : hardware.ports.read8(base + LINE_STATUS);
      if (base !== 0) hardware.ports.write8(base + 4, 1);
      // A real BIOS waits a second or so, then gives up.
      if ((line & 1) === 0) guest.ah = TIMED_OUT;
      else {
        guest.al = hardware.ports.read8(base);
        guest.ah = line & 0x1e;
      }
      return 'done';
    },
  },
  {
    number: 0x03,
    name: 'port status',
    details: (g) => `COM${g.dx + 1}`,
    run(hardware, guest) {
      const base = baseOf(hardware, guest);
      if (base !== 0) status(hardware, base, guest);
      return 'done';
    },
  },
];

/** INT 14h. */
export const serialService = (hardware: Hardware): ServiceRow => rowByAh(0x14, 'serial', hardware, functions, () => {});
