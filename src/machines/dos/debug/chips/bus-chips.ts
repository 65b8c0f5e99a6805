import { fields as kbcFields } from '../../../../chips/i8042/fields.ts';
import {
  CONTROLLER_WORDS,
  type ControllerState,
  channelFields,
  channelOf,
  fields,
} from '../../../../chips/i8237/fields.ts';
import { hex } from '../../../../formats/hex.ts';
import type { DosSystem } from '../../board/dos-system.ts';
import type { InputEvent } from '../../machine/input-event.ts';
import { bda } from '../../services/bios/data-area.ts';
import { type ChipView, numberedIn, numberIn, onOff, type View, type Wanted } from './chip-view.ts';

const transferModes = ['demand', 'single', 'block', 'cascade'] as const;
const directions = ['verify', 'to memory', 'from memory', 'none'] as const;
const lastPort = 0xffff;
const shiftNames = [
  'right shift',
  'left shift',
  'Ctrl',
  'Alt',
  'Scroll Lock',
  'Num Lock',
  'Caps Lock',
  'Insert',
] as const;
const ledNames = ['Scroll Lock', 'Num Lock', 'Caps Lock'] as const;

/** DMA, keyboard, and the ports themselves. */
export function busChips(system: DosSystem): readonly ChipView[] {
  return [
    {
      name: 'dma',
      description: 'two 8237',
      parts: [
        { name: 'registers', description: 'all eight channels', read: () => channels(system) },
        { name: 'channel', description: 'one channel, decoded', count: 8, read: (index) => channel(system, index) },
      ],
    },
    {
      name: 'keyboard',
      description: '8042 with keyboard and mouse',
      parts: [
        { name: 'registers', description: 'buffers, lamps, what waits', read: () => keyboard(system) },
        { name: 'buffer', description: 'keys that no program has read yet', read: () => keyBuffer(system) },
      ],
    },
    {
      name: 'ports',
      description: 'all 64 K ports: {"chip":"ports","part":"port","index":986} is what IN would give',
      parts: [
        {
          name: 'devices',
          description: 'ports at which something answers; writing {"0x3d8":9} is an OUT',
          writable: ['0x0'],
          read: () => answering(system),
          write: (_, wanted) => numberedIn(wanted, lastPort).map(([port, value]) => ({ type: 'out', port, value })),
        },
        {
          name: 'port',
          description: 'a byte as IN would give it, which changes nothing; writing {"out":1} is an OUT, {"in":1} an IN',
          count: lastPort + 1,
          writable: ['out', 'in'],
          read: (index) => port(system, index),
          write: (index, wanted) => accesses(index, wanted),
        },
      ],
    },
  ];
}

function channels(system: DosSystem): View {
  const all = Array.from({ length: 8 }, (_, index) => channel(system, index));
  return {
    lines: all.flatMap(({ lines }) => lines),
    numbers: Object.fromEntries(all.map(({ numbers = {} }, index) => [`channel${index}`, numbers])),
  };
}

function channel({ board }: DosSystem, index: number): View {
  const first = (index >> 2) * CONTROLLER_WORDS;
  const controller = board.parts.dma.subarray(first, first + CONTROLLER_WORDS) as ControllerState;
  const c = channelOf(controller, index & 3);
  const [mode, page] = [c[channelFields.mode], c[channelFields.page]];
  const scale = index >= 4 ? 2 : 1;
  const at = (word: number) => (scale === 2 ? ((page & 0xfe) << 16) + word * 2 : (page << 16) + word);
  const masked = ((controller[fields.mask] >> (index & 3)) & 1) !== 0;
  const numbers = {
    address: at(c[channelFields.address]),
    start: at(c[channelFields.baseAddress]),
    left: ((c[channelFields.count] + 1) & 0xffff) * scale,
    length: (c[channelFields.baseCount] + 1) * scale,
    mode: transferModes[mode >> 6] ?? '',
    direction: directions[(mode >> 2) & 3] ?? '',
    auto_init: (mode & 0x10) !== 0,
    decrement: (mode & 0x20) !== 0,
    masked,
    done: ((controller[fields.status] >> (index & 3)) & 1) !== 0,
  };
  const { address, start, left, length, direction } = numbers;
  const flags = [numbers.auto_init && 'auto-init', numbers.decrement && 'downwards', numbers.done && 'done'].filter(
    Boolean,
  );
  return {
    lines: [
      `channel ${index}: ${masked ? 'masked' : 'open'}, ${numbers.mode}, ${direction}, at ${hex(address, 6)} of ${hex(start, 6)}, ` +
        `${left} of ${length} bytes left${flags.length > 0 ? `, ${flags.join(', ')}` : ''}`,
    ],
    numbers,
  };
}

function keyboard({ board }: DosSystem): View {
  const { kbc } = board.parts;
  const word = (field: keyof typeof kbcFields) => kbc[kbcFields[field]] ?? 0;
  const waiting = (field: 'replies' | 'keyboard' | 'mouse') => kbc[kbcFields[field] + 1] ?? 0;
  const shifts = board.memory.peek8(bda.shiftFlags);
  const named = (bits: number, names: readonly string[]) =>
    names.filter((_, bit) => (bits >> bit) & 1).join(', ') || 'none';
  const numbers = {
    data: word('data'),
    full: word('full') !== 0,
    from_mouse: word('aux') !== 0,
    status: board.kbc.peek(0x64),
    command_byte: word('commandByte'),
    a20: board.kbc.a20,
    enabled: word('keyboardEnabled') !== 0,
    leds: word('leds'),
    shift_flags: shifts,
    last_scan_code: word('lastKeyboardByte'),
    waiting_replies: waiting('replies'),
    waiting_keyboard: waiting('keyboard'),
    waiting_mouse: waiting('mouse'),
    mouse_reporting: word('mouseReporting') !== 0,
    mouse_buttons: word('mouseButtons'),
  };
  return {
    lines: [
      `port 60h ${hex(numbers.data, 2)}h ${numbers.full ? `not read yet, from the ${numbers.from_mouse ? 'mouse' : 'keyboard'}` : 'read'}; status ${hex(numbers.status, 2)}h, command byte ${hex(numbers.command_byte, 2)}h, A20 ${onOff(numbers.a20)}`,
      `keyboard ${onOff(numbers.enabled)}, last code ${hex(numbers.last_scan_code, 2)}h, lamps: ${named(numbers.leds, ledNames)}; BIOS: ${named(shifts, shiftNames)}`,
      `waiting: ${numbers.waiting_keyboard} bytes of keys, ${numbers.waiting_mouse} of the mouse, ${numbers.waiting_replies} answers`,
    ],
    numbers,
  };
}

/** What INT 16h would give. */
function keyBuffer({ board: { memory } }: DosSystem): View {
  const word = (address: number) => memory.peek8(address) | (memory.peek8(address + 1) << 8);
  const [start, end] = [word(bda.keyboardBufferStart), word(bda.keyboardBufferEnd)];
  const keys: number[] = [];
  let at = word(bda.keyboardHead);
  const tail = word(bda.keyboardTail);
  while (at !== tail && keys.length < 64) {
    keys.push(word(0x400 + at));
    at = at + 2 >= end ? start : at + 2;
  }
  const shown = (key: number) => {
    const code = key & 0xff;
    const character = code >= 0x20 && code < 0x7f ? ` '${String.fromCharCode(code)}'` : '';
    return `${hex(key, 4)}${character}`;
  };
  return { lines: [keys.length === 0 ? 'empty' : keys.map(shown).join(' ')], numbers: { keys } };
}

function answering({ board: { ports } }: DosSystem): View {
  const ranges = ports.ranges();
  return {
    lines: ranges.map(({ first, last }) =>
      first === last ? `${hex(first, 3)}h` : `${hex(first, 3)}h-${hex(last, 3)}h`,
    ),
    numbers: { ports: ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0) },
  };
}

function port({ board }: DosSystem, index: number): View {
  const value = board.peekPort(index);
  const answered = board.ports.has(index);
  return {
    lines: [`port ${hex(index, 3)}h: ${hex(value, 2)}h${answered ? '' : ' (nothing answers there)'}`],
    numbers: { port: index, value, answered },
  };
}

function accesses(at: number, wanted: Wanted): readonly InputEvent[] {
  const value = numberIn(wanted, 'out', 0xff);
  const times = numberIn(wanted, 'in', 1) ?? 0;
  return [
    ...(value === undefined ? [] : [{ type: 'out', port: at, value } as const]),
    ...(times === 0 ? [] : [{ type: 'in', port: at } as const]),
  ];
}
