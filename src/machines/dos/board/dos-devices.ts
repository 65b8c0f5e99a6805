import type { Mc146818 } from '../../../chips/mc146818/mc146818.ts';
import type { PortBus } from '../services/bios/bios-wires.ts';
import type { CharacterPort, DosClock } from '../services/dos/wiring.ts';

/** What the CLOCK$ of DOS reads and sets. */
export function dosClock(rtc: Mc146818): DosClock {
  return {
    now: () => {
      // Programs ask for it without end: no spreading.
      const { year, month, day, hour, minute, second } = rtc.time;
      return { year, month, day, hour, minute, second, hundredth: rtc.hundredths };
    },
    setDate: (year, month, day) => rtc.set({ ...rtc.time, year, month, day }),
    setTime: (hour, minute, second) => rtc.set({ ...rtc.time, hour, minute, second }),
  };
}

/** The ports behind AUX, PRN and their like. */
export function dosPort(
  name: string,
  ports: PortBus,
  serial: (port: 0 | 1, byte: number) => void,
): CharacterPort | undefined {
  if (name === 'LPT1' || name === 'PRN') {
    return {
      ready: () => false,
      read: () => undefined,
      write: (byte) => {
        ports.write8(0x378, byte);
        ports.write8(0x37a, 0x0d);
        ports.write8(0x37a, 0x0c);
      },
    };
  }
  const line = ({ COM1: 0, COM2: 1, AUX: 0 } as const)[name as 'COM1'];
  if (line === undefined) return undefined;
  const base = line === 0 ? 0x3f8 : 0x2f8;
  return {
    ready: () => (ports.read8(base + 5) & 1) !== 0,
    read: () => ((ports.read8(base + 5) & 1) !== 0 ? ports.read8(base) : undefined),
    // Past the chip, which would lose what comes faster than its line.
    write: (byte) => serial(line, byte),
  };
}
