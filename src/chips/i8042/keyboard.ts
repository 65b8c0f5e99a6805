import type { ByteQueue } from '../byte-queue.ts';
import { fields, type I8042State } from './fields.ts';

const ACK = 0xfa;
const RESEND = 0xfe;

/** What the keyboard answers to a byte from the controller. */
export function keyboardCommand(s: I8042State, queue: ByteQueue, value: number): void {
  const parameterOf = s[fields.keyboardCommand];
  s[fields.keyboardCommand] = 0;
  if (parameterOf !== 0 && value < 0xed) {
    if (parameterOf === 0xed) s[fields.leds] = value & 7;
    else if (parameterOf === 0xf3) s[fields.typematic] = value & 0x7f;
    else if (parameterOf === 0xf0 && value === 0) {
      // The controller translates the 2 that the keyboard answers into 41h.
      queue.push(ACK, [0x43, 0x41, 0x3f][s[fields.scanCodeSet] - 1]);
      return;
    } else if (parameterOf === 0xf0) s[fields.scanCodeSet] = Math.min(3, value);
    queue.push(ACK);
    return;
  }
  switch (value) {
    case 0xed:
    case 0xf0:
    case 0xf3:
      s[fields.keyboardCommand] = value;
      queue.push(ACK);
      return;
    case 0xee:
      queue.push(0xee);
      return;
    case 0xf2:
      queue.push(ACK, 0xab, 0x41);
      return;
    case 0xf4:
      queue.clear();
      s[fields.keyboardEnabled] = 1;
      break;
    case 0xf5:
    case 0xf6:
      resetKeyboard(s, queue);
      s[fields.keyboardEnabled] = value & 2 ? 1 : 0;
      break;
    case 0xfe:
      queue.push(s[fields.lastKeyboardByte]);
      return;
    case 0xff:
      resetKeyboard(s, queue);
      queue.push(ACK, 0xaa);
      return;
    default:
      queue.push(RESEND);
      return;
  }
  queue.push(ACK);
}

export function resetKeyboard(s: I8042State, queue: ByteQueue): void {
  queue.clear();
  s[fields.keyboardEnabled] = 1;
  s[fields.keyboardCommand] = 0;
  s[fields.scanCodeSet] = 2;
  // Half a second, then 10.9 a second.
  s[fields.typematic] = 0x2b;
  s[fields.repeatCode] = 0;
}

/** Milliseconds before a held key repeats. */
export const typematicDelayMs = (typematic: number) => (((typematic >> 5) & 3) + 1) * 250;

/** Milliseconds between repeats: (8 + low bits) * 2^high bits * 4.17 ms. */
export const typematicPeriodMs = (typematic: number) =>
  ((8 + (typematic & 7)) * (1 << ((typematic >> 3) & 3)) * 25) / 6;
