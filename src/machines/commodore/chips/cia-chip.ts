import { fields, type Mos6526State } from '../../../chips/mos6526/fields.ts';
import { hexByte, lowerHex } from '../../../formats/hex.ts';
import type { ChipNumbers } from '../../../machine/chips.ts';
import { type Decoded, DecodedChip, flagNames } from './decoded-chip.ts';
import { ciaRegisters } from './register-names.ts';
import { registersPart } from './registers-part.ts';

const sources = ['timer A', 'timer B', 'alarm', 'serial port', 'flag'];
const inputsOfA = ['cycles', 'CNT'];
const inputsOfB = ['cycles', 'CNT', 'timer A', 'timer A while CNT is high'];

/** A CIA as it is wired. */
export interface CiaView {
  /** `cia1` */
  readonly name: string;
  /** Address of its first register. */
  readonly base: number;
  /** What its ports are for. */
  readonly uses: readonly [string, string];
  readonly state: Mos6526State;
  /** A register as it would read, without side effects. */
  register(index: number): number;
  /** Brings both up to the present. */
  catchUp(): void;
}

/** An interface chip: ports, timers, time of day. */
export function ciaChip(view: CiaView): DecodedChip {
  const { name, base, uses, state } = view;
  const fresh = <Answer>(decode: () => Answer): Answer => {
    view.catchUp();
    return decode();
  };
  return new DecodedChip(name, `CIA ${name.slice(3)}: ${uses.join('; ')}`, [
    registersPart({
      ...{ base, names: ciaRegisters },
      description: 'ports, interrupts, time of day, registers as they read',
      register: (index) => view.register(index),
      overview: () => fresh(() => ciaValues(state, uses)),
      numbers: () => fresh(() => ciaNumbers(state)),
    }),
    {
      name: 'timer',
      count: 2,
      description: '0 is A, 1 is B: counter, latch, mode',
      decode: (index) => fresh(() => timer(state, index)),
    },
  ]);
}

export function ciaValues(
  state: Mos6526State,
  [useOfA, useOfB]: CiaView['uses'],
): Record<string, string | number | boolean> {
  const port = (out: number, direction: number, pins: number) =>
    `drives ${hexByte(out)}, direction ${hexByte(direction)}, pins ${hexByte(out & pins)}`;
  return {
    [`port_a (${useOfA})`]: port(state[fields.paOut], state[fields.paDdr], state[fields.paIn]),
    [`port_b (${useOfB})`]: port(state[fields.pbOut], state[fields.pbDdr], state[fields.pbIn]),
    irq_line: state[fields.irq] !== 0 ? 'pulled' : 'free',
    pending: flagNames(sources, state[fields.flags] & 31),
    enabled: flagNames(sources, state[fields.mask]),
    time_of_day: clock(
      state[fields.todHours],
      state[fields.todMinutes],
      state[fields.todSeconds],
      state[fields.todTenths],
    ),
    alarm: clock(
      state[fields.alarmHours],
      state[fields.alarmMinutes],
      state[fields.alarmSeconds],
      state[fields.alarmTenths],
    ),
    clock_runs: state[fields.todStopped] === 0,
  };
}

/** All of them are coded decimal. */
function clock(hours: number, minutes: number, seconds: number, tenths: number): string {
  const two = (value: number) => lowerHex(value, 2);
  return `${two(hours & 0x1f)}:${two(minutes)}:${two(seconds)}.${tenths} ${hours & 0x80 ? 'PM' : 'AM'}`;
}

export function ciaNumbers(state: Mos6526State): ChipNumbers {
  const port = (data: number, direction: number, out: number, pins: number) => ({ data, direction, pins: out & pins });
  return {
    port_a: port(state[fields.pra], state[fields.paDdr], state[fields.paOut], state[fields.paIn]),
    port_b: port(state[fields.prb], state[fields.pbDdr], state[fields.pbOut], state[fields.pbIn]),
    timer_a: timerNumbers(state, 0),
    timer_b: timerNumbers(state, 1),
    irq: state[fields.irq] !== 0,
    pending: state[fields.flags] & 31,
    enabled: state[fields.mask],
  };
}

function timerNumbers(state: Mos6526State, index: number): ChipNumbers {
  const control = index === 0 ? state[fields.cra] : state[fields.crb];
  return {
    timer: index === 0 ? 'A' : 'B',
    value: index === 0 ? state[fields.counterA] : state[fields.counterB],
    latch: index === 0 ? state[fields.latchA] : state[fields.latchB],
    mode: control & 8 ? 'one shot' : 'continuous',
    running: (control & 1) !== 0,
    counts: (index === 0 ? inputsOfA[(control >> 5) & 1] : inputsOfB[(control >> 5) & 3]) ?? '',
    interrupt: (state[fields.mask] & (1 << index)) !== 0,
    control,
  };
}

function timer(state: Mos6526State, index: number): Decoded {
  const control = index === 0 ? state[fields.cra] : state[fields.crb];
  const input = index === 0 ? inputsOfA[(control >> 5) & 1] : inputsOfB[(control >> 5) & 3];
  return {
    numbers: timerNumbers(state, index),
    values: {
      timer: index === 0 ? 'A' : 'B',
      runs: (control & 1) !== 0,
      counter: index === 0 ? state[fields.counterA] : state[fields.counterB],
      latch: index === 0 ? state[fields.latchA] : state[fields.latchB],
      mode: control & 8 ? 'one shot' : 'continuous',
      counts: input ?? '',
      output: control & 2 ? `${control & 4 ? 'toggles' : 'pulses'} PB${6 + index}` : 'none',
      interrupt: (state[fields.mask] & (1 << index)) !== 0,
    },
  };
}
