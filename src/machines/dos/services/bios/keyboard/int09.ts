import { hex } from '../../../../../formats/hex.ts';
import type { Guest, GuestMemory, ServiceOutcome } from '../../guest.ts';
import { bda } from '../data-area.ts';
import { romCode } from '../rom-layout.ts';
import type { ServiceRow } from '../service-row.ts';
import type { KeyBuffer } from './key-buffer.ts';
import { translate } from './translation.ts';

const LAST_E1 = 1;
const LAST_E0 = 2;
const RIGHT_CTRL = 4;
const RIGHT_ALT = 8;

/** Scan codes of keys that are held: their bit in 40:17. */
const held: ReadonlyMap<number, number> = new Map([
  [0x36, 0x01],
  [0x2a, 0x02],
  [0x1d, 0x04],
  [0x38, 0x08],
]);

/** Scan codes of keys that switch: their bit in 40:17, and in 40:18 while they are down. */
const toggles: ReadonlyMap<number, number> = new Map([
  [0x46, 0x10],
  [0x45, 0x20],
  [0x3a, 0x40],
  [0x52, 0x80],
]);

/**
 * The part of INT 09h after INT 15h AH=4Fh: a scan code in AL becomes shift flags or a word in the buffer. Ctrl-Break, Print
 * Screen and Ctrl-Alt-Del leave through other code of the ROM.
 */
export const keyboardInterrupt = (memory: GuestMemory, buffer: KeyBuffer): ServiceRow => ({
  name: 'keyboard interrupt',
  serve: (guest) => take(memory, buffer, guest),
  describe: (guest) => `int 09h keyboard scan code ${hex(guest.al, 2)}h`,
});

function take(memory: GuestMemory, buffer: KeyBuffer, guest: Guest): ServiceOutcome {
  const byte = guest.al;
  const prefixes = memory.read8(bda.keyboardFlags3);
  if (byte === 0xe0 || byte === 0xe1) {
    memory.write8(bda.keyboardFlags3, (prefixes & ~3) | (byte === 0xe0 ? LAST_E0 : LAST_E1));
    return 'done';
  }
  if (byte === 0xfa || byte === 0xfe) return 'done';
  if ((prefixes & LAST_E1) !== 0) {
    // Pause: E1 1D 45 and E1 9D C5, of which nothing but the end matters.
    if ((byte & 0x7f) === 0x45) memory.write8(bda.keyboardFlags3, prefixes & ~3);
    return 'done';
  }
  memory.write8(bda.keyboardFlags3, prefixes & ~3);
  const extended = (prefixes & LAST_E0) !== 0;
  const scan = byte & 0x7f;
  const down = (byte & 0x80) === 0;
  // Shifts that a keyboard fakes around grey keys.
  if (extended && (scan === 0x2a || scan === 0x36)) return 'done';
  const bit = held.get(scan);
  if (bit !== undefined) holdKey(memory, buffer, bit, extended, down);
  else if (toggles.has(scan) && !(extended && scan === 0x46))
    return toggleKey(memory, buffer, scan, extended, down, guest);
  else if (down) return pressKey(memory, buffer, scan, extended, guest);
  return 'done';
}

function setBits(memory: GuestMemory, address: number, bits: number, on: boolean): void {
  const before = memory.read8(address);
  memory.write8(address, on ? before | bits : before & ~bits);
}

/** Ctrl and Alt are there twice: the common bit goes when both are up. */
function holdKey(memory: GuestMemory, buffer: KeyBuffer, bit: number, extended: boolean, down: boolean): void {
  if (bit >= 4) {
    if (extended) setBits(memory, bda.keyboardFlags3, bit === 4 ? RIGHT_CTRL : RIGHT_ALT, down);
    else setBits(memory, bda.shiftFlags2, bit >> 2, down);
    const right = (memory.read8(bda.keyboardFlags3) & bit) !== 0;
    const left = (memory.read8(bda.shiftFlags2) & (bit >> 2)) !== 0;
    setBits(memory, bda.shiftFlags, bit, left || right);
  } else setBits(memory, bda.shiftFlags, bit, down);
  if (bit !== 8 || down) return;
  const typed = memory.read8(bda.altKeypad);
  memory.write8(bda.altKeypad, 0);
  if (typed !== 0) buffer.push(typed);
}

function toggleKey(
  memory: GuestMemory,
  buffer: KeyBuffer,
  scan: number,
  extended: boolean,
  down: boolean,
  guest: Guest,
): ServiceOutcome {
  const bit = toggles.get(scan) ?? 0;
  const flags = memory.read8(bda.shiftFlags);
  // Insert on the figure pad is a 0 while Num Lock or a shift is on; Ctrl with Scroll Lock is Break.
  const isFigure = scan === 0x52 && !extended && (flags & 0x2c) !== 0;
  const isBreak = scan === 0x46 && (flags & 4) !== 0;
  if (isFigure || isBreak) return down ? pressKey(memory, buffer, scan, isBreak, guest) : 'done';
  const wasDown = (memory.read8(bda.shiftFlags2) & bit) !== 0;
  if (down && !wasDown) {
    memory.write8(bda.shiftFlags, flags ^ bit);
    const leds = (memory.read8(bda.shiftFlags) >> 4) & 7;
    memory.write8(bda.keyboardFlags4, (memory.read8(bda.keyboardFlags4) & ~7) | leds);
  }
  setBits(memory, bda.shiftFlags2, bit, down);
  return scan === 0x52 && down ? pressKey(memory, buffer, scan, extended, guest) : 'done';
}

function pressKey(
  memory: GuestMemory,
  buffer: KeyBuffer,
  scan: number,
  extended: boolean,
  guest: Guest,
): ServiceOutcome {
  const flags = memory.read8(bda.shiftFlags);
  const jump = (offset: number): ServiceOutcome => {
    guest.cs = 0xf000;
    guest.ip = offset;
    return 'jump';
  };
  if (scan === 0x53 && (flags & 12) === 12) {
    memory.write16(bda.resetFlag, 0x1234);
    return jump(romCode.reset);
  }
  if (scan === 0x46 && extended) {
    buffer.clear();
    buffer.push(0);
    memory.write8(bda.breakFlag, memory.read8(bda.breakFlag) | 0x80);
    return jump(romCode.breakKey);
  }
  if (scan === 0x37 && extended) return jump(romCode.printScreen);
  if ((flags & 8) !== 0 && !extended && scan >= 0x47 && scan <= 0x52) {
    const figure = '789?456?1230'[scan - 0x47] ?? '?';
    if (figure !== '?') memory.write8(bda.altKeypad, (memory.read8(bda.altKeypad) * 10 + Number(figure)) & 0xff);
    return 'done';
  }
  const word = translate(scan, extended, flags);
  if (word !== undefined) buffer.push(word);
  return 'done';
}
