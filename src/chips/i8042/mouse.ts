import type { ByteQueue } from '../byte-queue.ts';
import { fields, type I8042State } from './fields.ts';

const ACK = 0xfa;

/** What a PS/2 mouse answers to a byte sent with command D4h. */
export function mouseCommand(s: I8042State, queue: ByteQueue, value: number): void {
  const parameterOf = s[fields.mouseCommand];
  s[fields.mouseCommand] = 0;
  if (parameterOf === 0xe8) s[fields.mouseResolution] = value & 3;
  else if (parameterOf === 0xf3) s[fields.mouseRate] = value;
  if (parameterOf !== 0) {
    queue.push(ACK);
    return;
  }
  if (s[fields.mouseWrap] !== 0 && value !== 0xec && value !== 0xff) {
    queue.push(value);
    return;
  }
  const more: number[] = [];
  switch (value) {
    case 0xe6:
    case 0xe7:
      s[fields.mouseScaling] = value & 1;
      break;
    case 0xe8:
    case 0xf3:
      s[fields.mouseCommand] = value;
      break;
    case 0xe9:
      more.push(status(s), s[fields.mouseResolution], s[fields.mouseRate]);
      break;
    case 0xea:
    case 0xf0:
      s[fields.mouseRemote] = value === 0xf0 ? 1 : 0;
      break;
    case 0xeb:
      queue.push(ACK);
      sendPacket(s, queue);
      return;
    case 0xec:
    case 0xee:
      s[fields.mouseWrap] = value === 0xee ? 1 : 0;
      break;
    case 0xf2:
      more.push(0);
      break;
    case 0xf4:
    case 0xf5:
      s[fields.mouseReporting] = value === 0xf4 ? 1 : 0;
      break;
    case 0xf6:
      resetMouse(s, queue);
      break;
    case 0xff:
      resetMouse(s, queue);
      more.push(0xaa, 0);
      break;
    default:
      queue.push(0xfe);
      return;
  }
  queue.push(ACK, ...more);
}

export function resetMouse(s: I8042State, queue: ByteQueue): void {
  queue.clear();
  s[fields.mouseReporting] = 0;
  s[fields.mouseRemote] = 0;
  s[fields.mouseWrap] = 0;
  s[fields.mouseScaling] = 0;
  s[fields.mouseResolution] = 2;
  s[fields.mouseRate] = 100;
  s[fields.mouseX] = 0;
  s[fields.mouseY] = 0;
  s[fields.mouseCommand] = 0;
}

/** A movement (y grows downwards, as on screens) or a button; a packet where the host wants them. */
export function moveMouse(s: I8042State, queue: ByteQueue, dx: number, dy: number, buttons: number): void {
  s[fields.mouseX] += dx;
  s[fields.mouseY] -= dy;
  s[fields.mouseButtons] = buttons & 7;
  if (s[fields.mouseReporting] === 0 || s[fields.mouseRemote] !== 0) return;
  do {
    if (!sendPacket(s, queue)) return;
  } while (s[fields.mouseX] !== 0 || s[fields.mouseY] !== 0);
}

/** Movements beyond nine bits stay for the next packet; so does everything while there is no room. */
function sendPacket(s: I8042State, queue: ByteQueue): boolean {
  const x = Math.max(-255, Math.min(255, s[fields.mouseX]));
  const y = Math.max(-255, Math.min(255, s[fields.mouseY]));
  const signs = (x < 0 ? 0x10 : 0) | (y < 0 ? 0x20 : 0);
  if (!queue.push(8 | s[fields.mouseButtons] | signs, x & 0xff, y & 0xff)) return false;
  s[fields.mouseX] -= x;
  s[fields.mouseY] -= y;
  return true;
}

const status = (s: I8042State) =>
  (s[fields.mouseRemote] << 6) |
  (s[fields.mouseReporting] << 5) |
  (s[fields.mouseScaling] << 4) |
  ((s[fields.mouseButtons] & 1) << 2) |
  ((s[fields.mouseButtons] & 4) >> 1) |
  ((s[fields.mouseButtons] & 2) >> 1);
