import type { Instruction } from '../../../machine/cpu.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { QemuSymbols } from '../symbols/qemu-symbols.ts';
import type { Target } from './target.ts';

interface Line {
  readonly address: bigint;
  readonly length: number;
  readonly text: string;
}

const lineForm = /^0x([0-9a-f]{1,16}):\s+(.*)$/;
const codeColumn = /^((?:(?:[0-9a-f]{2})+\s)*(?:[0-9a-f]{2})+)(?:\s{2,}(.*))?$/;
const hexNumber = /0x[0-9a-f]{4,16}\b/g;

/** The monitor disassembles as the processor would decode at this moment; the bytes are read beside it. */
export async function disassemble(target: Target, address: bigint, count: number): Promise<Instruction[]> {
  if (count === 0) return [];
  const text = await target.qmp.hmp(`x/${count}i 0x${address.toString(16)}`, { cpuIndex: target.cpuIndex });
  const lines = parseDisassembly(text).slice(0, count);
  const last = lines.at(-1);
  if (!last) {
    throw new MachineError(
      'ADDRESS_OUT_OF_BOUNDS',
      `0x${address.toString(16)} cannot be disassembled: ${text.trim().slice(0, 100) || 'nothing is there'}.`,
      'Use an address that is mapped; state_read shows where execution stands.',
    );
  }
  const first = lines[0]?.address ?? address;
  const bytes = await target.memory(first, Number(last.address - first) + last.length);
  return lines.map(({ address: at, length, text: words }) => {
    const offset = Number(at - first);
    return { address: at, bytes: bytes.slice(offset, offset + length), text: words };
  });
}

/** Lines of `x/i`. Code too long for one line goes on in the next, which has no text. */
export function parseDisassembly(text: string): Line[] {
  const lines: Line[] = [];
  for (const line of text.split('\n')) {
    const [, address = '', rest = ''] = lineForm.exec(line.trimEnd()) ?? [];
    const [, code, words] = codeColumn.exec(rest) ?? [];
    if (code === undefined) continue;
    const length = code.replaceAll(/\s/g, '').length / 2;
    const before = lines.at(-1);
    const start = BigInt(`0x${address}`);
    if (words === undefined && before && before.address + BigInt(before.length) === start) {
      lines[lines.length - 1] = { ...before, length: before.length + length };
    } else lines.push({ address: start, length, text: (words ?? '').replaceAll(/\s+/g, ' ').trim() });
  }
  return lines;
}

/** The same with the names of the addresses in it. */
export function withNames(instruction: Instruction, symbols: QemuSymbols): Instruction {
  if (symbols.size === 0) return instruction;
  const text = instruction.text.replaceAll(hexNumber, (number) => {
    const name = symbols.nameOf(BigInt(number));
    return name === undefined ? number : `${number} <${name}>`;
  });
  return { ...instruction, text };
}
