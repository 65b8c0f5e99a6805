import { fields, type Via6522State } from '../../../chips/via6522/fields.ts';
import { hexByte } from '../../../formats/hex.ts';
import type { ChipNumbers } from '../../../machine/chips.ts';
import { type Decoded, DecodedChip, flagNames } from './decoded-chip.ts';
import { viaRegisters } from './register-names.ts';
import { registersPart } from './registers-part.ts';

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
    registersPart({
      ...{ base, names: viaRegisters },
      description: 'ports, handshake lines, shift register, interrupts, registers as they read',
      register: (index) => view.register(index),
      overview: () => fresh(() => viaValues(view)),
      numbers: () => fresh(() => viaNumbers(state)),
    }),
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

/** The same for programs. */
export function viaNumbers(state: Via6522State): ChipNumbers {
  const port = (direction: number, out: number, pins: number) => ({ direction, driven: out, pins: out & pins });
  return {
    port_a: port(state[fields.ddra], state[fields.paOut], state[fields.paIn]),
    port_b: port(state[fields.ddrb], state[fields.pbOut], state[fields.pbIn]),
    timer_1: timer1Numbers(state),
    timer_2: timer2Numbers(state),
    shift_register: state[fields.sr],
    acr: state[fields.acr],
    pcr: state[fields.pcr],
    irq: state[fields.irq] !== 0,
    pending: state[fields.ifr] & 127,
    enabled: state[fields.ier] & 127,
  };
}

function timer1Numbers(state: Via6522State): ChipNumbers {
  return {
    timer: 1,
    value: state[fields.t1Counter],
    latch: state[fields.t1Latch],
    mode: state[fields.acr] & 0x40 ? 'continuous' : 'one shot',
    interrupt: (state[fields.ier] & 0x40) !== 0,
  };
}

function timer2Numbers(state: Via6522State): ChipNumbers {
  return {
    timer: 2,
    value: state[fields.t2Counter],
    latch: state[fields.t2LatchLow],
    mode: state[fields.acr] & 0x20 ? 'counts pulses on PB6' : 'one shot',
    interrupt: (state[fields.ier] & 0x20) !== 0,
  };
}

function timer1(state: Via6522State): Decoded {
  const acr = state[fields.acr];
  return {
    numbers: timer1Numbers(state),
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
    numbers: timer2Numbers(state),
    values: {
      timer: 2,
      counter: state[fields.t2Counter],
      latch_low: state[fields.t2LatchLow],
      counts: state[fields.acr] & 0x20 ? 'pulses on PB6' : 'cycles',
      interrupt: (state[fields.ier] & 0x20) !== 0,
    },
  };
}
