import { hex } from '../../formats/hex.ts';
import type { AddressCapability } from '../../machine/addresses.ts';
import type { Instruction, Register } from '../../machine/cpu.ts';

/** An address with its symbol. */
export function showAddress(address: bigint, addresses: AddressCapability): string {
  const symbol = addresses.symbols.describe(address);
  return symbol ? `${addresses.format(address)} ${symbol}` : addresses.format(address);
}

export function showRegisters(registers: readonly Register[]): string {
  return registers
    .map(({ name, value, bits, flags }) => `${name}=${hex(value, Math.ceil(bits / 4))}${flags ? ` (${flags})` : ''}`)
    .join(' ');
}

/** With an arrow at the program counter and labels where they belong; without either when `marked` is left out. */
export function showInstructions(
  instructions: readonly Instruction[],
  addresses: AddressCapability,
  marked: bigint | undefined,
): string {
  const longest = Math.max(0, ...instructions.map(({ bytes }) => bytes.length));
  return instructions
    .map(({ address, bytes, text }) => {
      const label = marked === undefined ? undefined : addresses.symbols.describe(address, 0n);
      const code = [...bytes].map((byte) => hex(byte, 2)).join(' ');
      const arrow = address === marked ? '>' : ' ';
      return `${label ? `${label}:\n` : ''}${arrow} ${addresses.format(address)}  ${code.padEnd(longest * 3)} ${text}`;
    })
    .join('\n');
}

/** Sixteen bytes a line: address, bytes, and the characters that are printable in ASCII. */
export function hexLines(bytes: Uint8Array, first: bigint, format: (address: bigint) => string): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const row = [...bytes.subarray(at, at + 16)];
    const codes = row.map((byte) => hex(byte, 2)).join(' ');
    const characters = row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${format(first + BigInt(at))}  ${codes.padEnd(47)}  ${characters}`);
  }
  return lines.join('\n');
}
