import { MachineError } from '../../machine/errors.ts';

/** Bytes written in hex: `1b 5b 41`, `1b5b41`, `0x1b,0x5b`, `1b:5b`. */
export function parseBytes(hex: string): Uint8Array {
  const groups = hex
    .trim()
    .split(/[\s,:;]+/)
    .map((group) => group.replace(/^(?:0x|\\x)/i, ''));
  const pieces: Buffer[] = [];
  for (const group of groups) {
    if (!/^[0-9a-f]+$/i.test(group)) throw badBytes(hex, group === '' ? 'nothing to send' : `"${group}" is not hex`);
    if (group.length > 2 && group.length % 2 === 1) throw badBytes(hex, `"${group}" has an odd number of digits`);
    pieces.push(Buffer.from(group.length === 1 ? `0${group}` : group, 'hex'));
  }
  return new Uint8Array(Buffer.concat(pieces));
}

function badBytes(hex: string, reason: string): MachineError {
  const shown = hex.length > 60 ? `${hex.slice(0, 60)}…` : hex;
  return new MachineError(
    'INVALID_ARGUMENT',
    `The bytes "${shown}" cannot be read: ${reason}.`,
    'Write them as hex pairs, "1b 5b 41" or "1b5b41"; text and named keys have arguments of their own.',
  );
}
