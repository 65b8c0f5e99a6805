import { DecodedChip, flagNames, registerRows } from './decoded-chip.ts';

const base = 0xfd00;
const statusNames = [
  'parity error',
  'framing error',
  'overrun',
  'a byte has come',
  'ready for the next byte',
  'no carrier',
  'nobody is ready',
  'interrupt',
];
const rates = ['external', 50, 75, 110, 134.5, 150, 300, 600, 1200, 1800, 2400, 3600, 4800, 7200, 9600, 19_200];
const transmitter = ['off', 'on, with interrupts', 'on', 'sends a break'];

/** An ACIA as it is wired. */
export interface AciaView {
  /** A register as it would read, without side effects. */
  register(index: number): number;
  catchUp(): void;
}

/** The Plus/4's serial interface at the user port. */
export function aciaChip(view: AciaView): DecodedChip {
  return new DecodedChip('acia', 'ACIA: RS-232 at the user port', [
    {
      name: 'registers',
      count: 1,
      description: 'rate, format, status, registers as they read',
      decode: () => {
        view.catchUp();
        const [command, control] = [view.register(2), view.register(3)];
        return {
          values: {
            on: (command & 1) !== 0,
            rate: rates[control & 15] ?? '',
            bits: 8 - ((control >> 5) & 3),
            stop_bits: control & 0x80 ? 2 : 1,
            parity: (command & 0x20) !== 0,
            transmitter: transmitter[(command >> 2) & 3] ?? '',
            receiver_interrupts: (command & 2) === 0,
            status: flagNames(statusNames, view.register(1)),
            ...registerRows(base, 4, (index) => view.register(index)),
          },
        };
      },
    },
  ]);
}
