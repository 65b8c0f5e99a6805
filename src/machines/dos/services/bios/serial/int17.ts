import type { Guest } from '../../guest.ts';
import type { Hardware } from '../bios-wires.ts';
import { bda } from '../data-area.ts';
import { type FunctionTable, quoted, rowByAh, type ServiceRow } from '../service-row.ts';

const baseOf = ({ memory }: Hardware, guest: Guest) =>
  guest.dx < 3 ? memory.read16(bda.parallelPorts + guest.dx * 2) : 0;

/** Not busy, acknowledged, selected, as the port's status register has them. */
function status(hardware: Hardware, guest: Guest): void {
  const base = baseOf(hardware, guest);
  guest.ah = base === 0 ? 1 : (hardware.ports.read8(base + 1) ^ 0x48) & 0xf8;
}

const functions: FunctionTable<Hardware> = [
  {
    number: 0x00,
    name: 'print character',
    details: (g) => `LPT${g.dx + 1} ${quoted(g.al)}`,
    run(hardware, guest) {
      const base = baseOf(hardware, guest);
      if (base !== 0) {
        const { ports } = hardware;
        ports.write8(base, guest.al);
        // The strobe.
        ports.write8(base + 2, 0x0d);
        ports.write8(base + 2, 0x0c);
      }
      status(hardware, guest);
      return 'done';
    },
  },
  {
    number: 0x01,
    name: 'reset printer',
    details: (g) => `LPT${g.dx + 1}`,
    run(hardware, guest) {
      const base = baseOf(hardware, guest);
      if (base !== 0) {
        hardware.ports.write8(base + 2, 0x08);
        hardware.ports.write8(base + 2, 0x0c);
      }
      status(hardware, guest);
      return 'done';
    },
  },
  {
    number: 0x02,
    name: 'printer status',
    details: (g) => `LPT${g.dx + 1}`,
    run(hardware, guest) {
      status(hardware, guest);
      return 'done';
    },
  },
];

/** INT 17h. */
export const printerService = (hardware: Hardware): ServiceRow =>
  rowByAh(0x17, 'printer', hardware, functions, () => {});
