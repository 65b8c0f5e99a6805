import { hex } from '../../../../../formats/hex.ts';
import type { Guest } from '../../guest.ts';
import type { Hardware } from '../bios-wires.ts';
import { bda } from '../data-area.ts';
import { type FunctionTable, quoted, rowByAh, type ServiceRow } from '../service-row.ts';
import { KeyBuffer } from './key-buffer.ts';

interface Keyboard extends Hardware {
  readonly buffer: KeyBuffer;
}

/** As the functions for 84 keys see a word of the buffer: undefined for keys they do not know. */
export function oldWord(word: number): number | undefined {
  const scan = word >> 8;
  const character = word & 0xff;
  if (scan === 0xe0) return character === 0x0d || character === 0x0a ? 0x1c00 | character : 0x3500 | character;
  if (scan > 0x84) return undefined;
  return character === 0xe0 && scan !== 0 ? scan << 8 : word;
}

/** Keys that the old functions do not know are thrown away, as by the real ones. */
function peekOld(buffer: KeyBuffer): number | undefined {
  for (let word = buffer.peek(); word !== undefined; word = buffer.peek()) {
    const old = oldWord(word);
    if (old !== undefined) return old;
    buffer.shift();
  }
  return undefined;
}

function report(guest: Guest, word: number | undefined): 'done' {
  guest.zero = word === undefined;
  if (word !== undefined) guest.ax = word;
  return 'done';
}

const keyText = ({ al, ah }: Guest) => `${quoted(al)} scan ${hex(ah, 2)}h`;
const waitingText = (guest: Guest) => (guest.zero ? 'none' : keyText(guest));

const functions: FunctionTable<Keyboard> = [
  {
    number: 0x00,
    name: 'read key',
    result: keyText,
    run({ buffer }, guest) {
      const word = peekOld(buffer);
      if (word === undefined) return 'wait';
      buffer.shift();
      guest.ax = word;
      return 'done';
    },
  },
  {
    number: 0x01,
    name: 'look for key',
    poll: true,
    result: waitingText,
    run: ({ buffer }, guest) => report(guest, peekOld(buffer)),
  },
  {
    number: 0x02,
    name: 'shift flags',
    poll: true,
    result: (g) => `${hex(g.al, 2)}h`,
    run({ memory }, guest) {
      guest.al = memory.read8(bda.shiftFlags);
      return 'done';
    },
  },
  {
    number: 0x03,
    name: 'set repeat rate',
    details: (g) => `delay ${g.bh} rate ${g.bl}`,
    run({ ports }, guest) {
      if (guest.al !== 5) return 'done';
      ports.write8(0x60, 0xf3);
      ports.write8(0x60, ((guest.bh & 3) << 5) | (guest.bl & 0x1f));
      return 'done';
    },
  },
  {
    number: 0x05,
    name: 'push key',
    details: (g) => `${hex(g.cx, 4)}h`,
    run({ buffer }, guest) {
      guest.al = buffer.push(guest.cx) ? 0 : 1;
      return 'done';
    },
  },
  {
    number: 0x09,
    name: 'keyboard functions',
    run(_, guest) {
      guest.al = 0x20;
      return 'done';
    },
  },
  {
    number: 0x0a,
    name: 'keyboard id',
    run(_, guest) {
      guest.bx = 0x41ab;
      return 'done';
    },
  },
  {
    number: 0x10,
    name: 'read extended key',
    result: keyText,
    run({ buffer }, guest) {
      const word = buffer.shift();
      if (word === undefined) return 'wait';
      guest.ax = word;
      return 'done';
    },
  },
  {
    number: 0x11,
    name: 'look for extended key',
    poll: true,
    result: waitingText,
    run: ({ buffer }, guest) => report(guest, buffer.peek()),
  },
  {
    number: 0x12,
    name: 'extended shift flags',
    poll: true,
    result: (g) => `${hex(g.ax, 4)}h`,
    run({ memory }, guest) {
      guest.al = memory.read8(bda.shiftFlags);
      const second = memory.read8(bda.shiftFlags2);
      const right = memory.read8(bda.keyboardFlags3) & 0x0c;
      guest.ah = (second & 0x73) | right | ((second & 4) << 5);
      return 'done';
    },
  },
];

/** INT 16h. */
export const keyboardService = (hardware: Hardware): ServiceRow => {
  const keyboard = { ...hardware, buffer: new KeyBuffer(hardware.memory) };
  return rowByAh(0x16, 'keyboard', keyboard, functions, () => {});
};
