import type { Hardware, PortBus } from '../bios-wires.ts';
import { bda } from '../data-area.ts';
import { romCode } from '../rom-layout.ts';
import { type FunctionRow, plainRow, type ServiceRow } from '../service-row.ts';

/** A period of the clock's 1024 Hz interrupt, as IBM's BIOS counts it. */
const PERIOD_US = 976;
/** Where INT 15h AH=86h lets the end of its wait be marked: the flag itself. */
const OWN_FLAG = 0x0040_00a0;

function clockControl(ports: PortBus, change: (value: number) => number): void {
  ports.write8(0x70, 0x0b);
  const value = ports.read8(0x71);
  ports.write8(0x70, 0x0b);
  ports.write8(0x71, change(value));
}

function start({ memory, ports }: Hardware, microseconds: number, pointer: number): void {
  memory.write32(bda.waitPointer, pointer);
  memory.write32(bda.waitMicroseconds, microseconds);
  memory.write8(bda.waitActive, 1);
  ports.write8(0xa1, ports.read8(0xa1) & ~1);
  clockControl(ports, (value) => value | 0x40);
}

/** INT 15h AH=86h: returns when the time in CX:DX is over. */
export const wait: FunctionRow<Hardware> = {
  name: 'wait',
  details: (g) => `${(g.cx << 16) | g.dx} us`,
  run(hardware, guest) {
    const { memory } = hardware;
    const active = memory.read8(bda.waitActive);
    guest.carry = false;
    if ((active & 0x80) !== 0) {
      memory.write8(bda.waitActive, 0);
      return 'done';
    }
    if ((active & 1) !== 0) {
      if (memory.read32(bda.waitPointer) === OWN_FLAG) return 'wait';
      guest.ah = 0x83;
      guest.carry = true;
      return 'done';
    }
    start(hardware, ((guest.cx << 16) | guest.dx) >>> 0, OWN_FLAG);
    return 'wait';
  },
};

/** INT 15h AH=83h: sets bit 7 of a byte when the time is over. */
export const eventWait: FunctionRow<Hardware> = {
  name: 'event wait',
  details: (g) => (g.al === 1 ? 'cancel' : `${(g.cx << 16) | g.dx} us`),
  run(hardware, guest) {
    const { memory, ports } = hardware;
    guest.carry = false;
    if (guest.al === 1) {
      memory.write8(bda.waitActive, 0);
      clockControl(ports, (value) => value & ~0x40);
    } else if ((memory.read8(bda.waitActive) & 1) !== 0) {
      guest.ah = 0x80;
      guest.carry = true;
    } else start(hardware, ((guest.cx << 16) | guest.dx) >>> 0, (guest.es << 16) | guest.bx);
    return 'done';
  },
};

/** INT 70h: counts a wait down, or goes on to INT 4Ah for an alarm. */
export const clockInterrupt = ({ memory, ports }: Hardware): ServiceRow =>
  plainRow(0x70, 'clock interrupt', (guest) => {
    ports.write8(0x70, 0x0c);
    const flags = ports.read8(0x71);
    if ((flags & 0x40) !== 0 && (memory.read8(bda.waitActive) & 1) !== 0) {
      const left = memory.read32(bda.waitMicroseconds) - PERIOD_US;
      memory.write32(bda.waitMicroseconds, Math.max(0, left));
      if (left <= 0) {
        clockControl(ports, (value) => value & ~0x40);
        memory.write8(bda.waitActive, 0);
        const flag = (memory.read16(bda.waitPointer + 2) << 4) + memory.read16(bda.waitPointer);
        memory.write8(flag, memory.read8(flag) | 0x80);
      }
    }
    if ((flags & 0x20) === 0) return 'done';
    guest.cs = 0xf000;
    guest.ip = romCode.alarm;
    return 'jump';
  });
