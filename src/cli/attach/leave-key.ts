import { Buffer } from 'node:buffer';

/** Ctrl-] as terminals send it: plainly, in the kitty keyboard protocol, and with xterm's modifyOtherKeys. */
const leaveKeys = ['\x1d', '\x1b[93;5u', '\x1b[27;5;93~'].map((keys) => Buffer.from(keys));

/** Where in the typed bytes Ctrl-] begins, or -1. */
export function findLeaveKey(bytes: Buffer): number {
  const found = leaveKeys.map((key) => bytes.indexOf(key)).filter((index) => index >= 0);
  return found.length === 0 ? -1 : Math.min(...found);
}
