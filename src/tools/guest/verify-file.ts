import { MachineError } from '../../machine/errors.ts';
import { type GuestShell, quoted } from './guest-shell.ts';
import { sizeOf } from './size-of.ts';
import type { GuestSurvey } from './survey-guest.ts';

/** Fails unless the file in the guest is exactly this; says how that is known. */
export async function verifyFile(
  shell: GuestShell,
  { programs }: GuestSurvey,
  path: string,
  bytes: Uint8Array,
): Promise<string> {
  const program = programs.has('sha256sum') ? 'sha256sum' : programs.has('cksum') ? 'cksum' : undefined;
  if (program === undefined) {
    const size = String(await sizeOf(shell, path));
    requireSame('length', size, String(bytes.length));
    return 'its length compared: the guest has neither sha256sum nor cksum';
  }
  const answer = await shell.run(`${program} < ${quoted(path)}`, 'checking the file');
  if (program === 'cksum') {
    const ours = `${posixCksum(bytes)} ${bytes.length}`;
    requireSame('cksum', answer.trim().split(/\s+/).slice(0, 2).join(' '), ours);
    return `cksum ${ours.split(' ', 1)[0]}`;
  }
  const ours = await sha256(bytes);
  requireSame('sha256', answer.trim().slice(0, 64), ours);
  return `sha256 ${ours}`;
}

function requireSame(what: string, theirs: string, ours: string): void {
  if (theirs === ours) return;
  throw new MachineError(
    'UNAVAILABLE',
    `What arrived is not what was sent: the guest's ${what} is ${theirs.slice(0, 80)}, ours ${ours}.`,
    'Something else wrote to the file or the line; try again on a quiet console.',
  );
}

async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(bytes));
  return Buffer.from(digest).toString('hex');
}

/** As the POSIX command `cksum` counts: the bytes, then their number. */
function posixCksum(bytes: Uint8Array): number {
  let crc = 0;
  const add = (byte: number) => {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  };
  for (const byte of bytes) add(byte);
  for (let length = bytes.length; length > 0; length = Math.floor(length / 256)) add(length & 255);
  return ~crc >>> 0;
}
