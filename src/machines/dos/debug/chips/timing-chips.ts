import { COUNTER_WORDS, counterFields } from '../../../../chips/i8254/fields.ts';
import { PIT_HZ } from '../../../../chips/i8254/i8254.ts';
import { fields as picFields, stateWords as picWords } from '../../../../chips/i8259/fields.ts';
import { hex } from '../../../../formats/hex.ts';
import type { DosSystem } from '../../board/dos-system.ts';
import type { ChipView, View } from './chip-view.ts';

const modeNames = [
  'interrupt at the end',
  'one shot',
  'rate generator',
  'square wave',
  'software strobe',
  'hardware strobe',
  'rate generator',
  'square wave',
] as const;
const accessNames = ['latch', 'low byte', 'high byte', 'low byte, then high byte'] as const;
const uses = ['IRQ 0', 'memory refresh', 'speaker'] as const;
const chipNames = ['master', 'slave'] as const;

/** 8254, two 8259, MC146818. */
export function timingChips(system: DosSystem): readonly ChipView[] {
  return [
    {
      name: 'timer',
      description: '8254',
      parts: [
        { name: 'registers', description: 'all three counters', read: () => counters(system) },
        { name: 'counter', description: 'one counter, decoded', count: 3, read: (index) => counter(system, index) },
      ],
    },
    {
      name: 'pic',
      description: 'two 8259',
      parts: [
        { name: 'registers', description: 'requests, masks, what is in service', read: () => controllers(system) },
        { name: 'controller', description: 'master, slave', count: 2, read: (index) => controller(system, index) },
      ],
    },
    {
      name: 'clock',
      description: 'MC146818',
      parts: [{ name: 'registers', description: 'time and memory', read: () => clock(system) }],
    },
  ];
}

function counters(system: DosSystem): View {
  const all = [0, 1, 2].map((index) => counter(system, index));
  const numbers = Object.fromEntries(all.map(({ numbers: each = {} }, index) => [`counter${index}`, each]));
  return { lines: all.flatMap(({ lines }) => lines), numbers };
}

function counter({ board }: DosSystem, index: number): View {
  const { pit } = board.parts;
  const word = (field: keyof typeof counterFields) => pit[index * COUNTER_WORDS + counterFields[field]] ?? 0;
  const reload = word('reload');
  const mode = word('mode');
  // A counter is worked out when somebody looks: by the way programs read it, latched or not.
  const count = board.undisturbed(() => {
    board.ports.write8(0x43, index << 6);
    const low = board.ports.read8(0x40 + index);
    return word('access') === 3 ? low | (board.ports.read8(0x40 + index) << 8) : low;
  });
  const out = board.undisturbed(() => board.pit.output(index));
  const hertz = reload === 0 ? 0 : PIT_HZ / reload;
  const rate = reload === 0 ? 'nothing loaded' : `reload ${reload}, ${hertz.toFixed(2)} Hz`;
  return {
    lines: [
      `counter ${index} (${uses[index]}): mode ${mode} ${modeNames[mode] ?? ''}, ${rate}, count ${count}, out ${out ? 'high' : 'low'}, ` +
        `gate ${word('gate') ? 'high' : 'low'}, ${accessNames[word('access')] ?? ''}${word('bcd') ? ', BCD' : ''}`,
    ],
    numbers: { mode, reload, hertz, count, out, gate: word('gate'), access: word('access'), bcd: word('bcd') === 1 },
  };
}

function controllers(system: DosSystem): View {
  const both = [0, 1].map((index) => controller(system, index));
  const { int } = system.board.pic;
  return {
    lines: [...both.flatMap(({ lines }) => lines), `interrupt line ${int ? 'up' : 'down'}`],
    numbers: { master: both[0]?.numbers ?? {}, slave: both[1]?.numbers ?? {}, interrupt: int },
  };
}

function controller({ board }: DosSystem, index: number): View {
  const chipWords = picWords;
  const word = (field: keyof typeof picFields) => board.parts.pic[index * chipWords + picFields[field]] ?? 0;
  const lines = (bits: number) => {
    const set = Array.from({ length: 8 }, (_, line) => line).filter((line) => (bits >> line) & 1);
    return set.length === 0 ? 'none' : set.map((line) => `IRQ ${line + index * 8}`).join(', ');
  };
  const [irr, isr, imr, base] = [word('irr'), word('isr'), word('imr'), word('vectorBase')];
  return {
    lines: [
      `${chipNames[index]}: vectors ${hex(base, 2)}h-${hex(base + 7, 2)}h, requests ${lines(irr)}; in service ${lines(isr)}; masked ${lines(imr)}`,
    ],
    numbers: { requests: irr, in_service: isr, mask: imr, vector_base: base, auto_eoi: (word('icw4') & 2) !== 0 },
  };
}

function clock({ board: { rtc } }: DosSystem): View {
  const { year, month, day, hour, minute, second } = rtc.time;
  const two = (value: number) => String(value).padStart(2, '0');
  const bytes = Array.from({ length: 0x40 }, (_, index) => rtc.peek(index));
  return {
    lines: [
      `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`,
      bytes.map((byte) => hex(byte, 2)).join(' '),
    ],
    numbers: { year, month, day, hour, minute, second, memory: bytes },
  };
}
