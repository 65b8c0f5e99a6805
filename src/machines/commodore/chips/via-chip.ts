import { fields, type Via6522State } from '../../../chips/via6522/fields.ts';
import { type Decoded, DecodedChip, flagNames, hexByte, registerRows } from './decoded-chip.ts';

export const viaSources = ['CA2', 'CA1', 'shift register', 'CB2', 'CB1', 'timer 2', 'timer 1'];
const shiftModes = [
  'off',
  'in, by timer 2',
  'in, by the clock',
  'in, by CB1',
  'out, free running',
  'out, by timer 2',
  'out, by the clock',
  'out, by CB1',
];
const handshakes = [
  'input, falling edge',
  'input, falling edge, independent',
  'input, rising edge',
  'input, rising edge, independent',
  'handshake output',
  'pulse output',
  'low output',
  'high output',
];

/** A VIA as it is wired. */
export interface ViaView {
  /** `via1` */
  readonly name: string;
  /** Address of its first register. */
  readonly base: number;
  /** What its ports and handshake lines are for. */
  readonly uses: { readonly portA: string; readonly portB: string; readonly lines: string };
  readonly state: Via6522State;
  /** A register as it would read, without side effects. */
  register(index: number): number;
  /** Brings both up to the present. */
  catchUp(): void;
}

/** An interface chip: ports, handshake lines, timers, shift register. */
export function viaChip(view: ViaView): DecodedChip {
  const { name, base, uses, state } = view;
  const fresh = <Answer>(decode: () => Answer): Answer => {
    view.catchUp();
    return decode();
  };
  return new DecodedChip(name, `VIA ${name.slice(3)}: ${uses.portA}; ${uses.portB}; ${uses.lines}`, [
    {
      name: 'registers',
      count: 1,
      description: 'ports, handshake lines, shift register, interrupts, registers as they read',
      decode: () =>
        fresh(() => ({
          values: { ...viaValues(view), ...registerRows(base, 16, (register) => view.register(register)) },
        })),
    },
    {
      name: 'timer',
      count: 2,
      description: '0 is timer 1, 1 is timer 2: counter, latch, mode',
      decode: (index) => fresh(() => (index === 0 ? timer1(state) : timer2(state))),
    },
  ]);
}

/** Ports, lines, shift register and interrupts. */
export function viaValues({ state, uses }: Pick<ViaView, 'state' | 'uses'>): Record<string, string | number | boolean> {
  const port = (out: number, direction: number, pins: number) =>
    `drives ${hexByte(out)}, direction ${hexByte(direction)}, pins ${hexByte(out & pins)}`;
  const pcr = state[fields.pcr];
  const level = (value: number) => (value === 0 ? 'low' : 'high');
  const edge = (bit: number) => `${pcr & bit ? 'rising' : 'falling'} edge`;
  return {
    [`port_a (${uses.portA})`]: port(state[fields.paOut], state[fields.ddra], state[fields.paIn]),
    [`port_b (${uses.portB})`]: port(state[fields.pbOut], state[fields.ddrb], state[fields.pbIn]),
    ca1: `${level(state[fields.ca1])}, ${edge(1)}`,
    ca2: `${handshakes[(pcr >> 1) & 7]}, ${level(state[fields.ca2] & state[fields.ca2Out])}`,
    cb1: `${level(state[fields.cb1])}, ${edge(16)}`,
    cb2: `${handshakes[pcr >> 5]}, ${level(state[fields.cb2] & state[fields.cb2Out])}`,
    shift_register: `${hexByte(state[fields.sr])}, ${shiftModes[(state[fields.acr] >> 2) & 7]}`,
    irq_line: state[fields.irq] !== 0 ? 'pulled' : 'free',
    pending: flagNames(viaSources, state[fields.ifr] & 127),
    enabled: flagNames(viaSources, state[fields.ier] & 127),
  };
}

function timer1(state: Via6522State): Decoded {
  const acr = state[fields.acr];
  return {
    values: {
      timer: 1,
      counter: state[fields.t1Counter],
      latch: state[fields.t1Latch],
      mode: acr & 0x40 ? 'continuous' : 'one shot',
      output: acr & 0x80 ? 'PB7' : 'none',
      interrupt: (state[fields.ier] & 0x40) !== 0,
    },
  };
}

function timer2(state: Via6522State): Decoded {
  return {
    values: {
      timer: 2,
      counter: state[fields.t2Counter],
      latch_low: state[fields.t2LatchLow],
      counts: state[fields.acr] & 0x20 ? 'pulses on PB6' : 'cycles',
      interrupt: (state[fields.ier] & 0x20) !== 0,
    },
  };
}
