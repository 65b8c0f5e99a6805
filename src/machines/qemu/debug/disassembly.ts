import type { Instruction } from '../../../machine/cpu.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { QemuSymbols } from '../symbols/qemu-symbols.ts';
import { ifThere } from './if-there.ts';
import type { Target } from './target.ts';

interface Line {
  readonly address: bigint;
  /** 0 where the monitor does not show the code. */
  readonly length: number;
  readonly text: string;
  /** As it is written, without blanks. */
  readonly code?: string;
}

const lineForm = /^0x([0-9a-f]{1,16}):\s+(.*)$/;
const codeColumn = /^((?:(?:[0-9a-f]{2})+\s)*(?:[0-9a-f]{2})+)(?:\s{2,}(.*))?$/;
const complaint = /out of bounds|unable to read|cannot access|not supported/i;
const hexNumber = /0x[0-9a-f]{4,16}\b(?!\(%rip\))/g;
const fromHere = /(-?)(0x[0-9a-f]{1,8}|\d{1,10})\(%rip\)/;

/** The longest instructions there are: x86 has 15 bytes, and no processor here more. */
const longestBytes = 16;
const maxRemembered = 4096;

/** What single instructions were decoded to, by where they lie, what they are and how the processor reads them. */
const remembered = new WeakMap<Target, Map<string, Instruction>>();

/**
 * The instruction at an address as it is stepped over: a call comes with its delay slot. Where the processor stands
 * there is always one, if only to say that nothing can be read.
 */
export async function disassemble(target: Target, address: bigint, count: number): Promise<Instruction[]> {
  const slotBytes = target.architecture.delaySlotBytes ?? 0;
  if (count !== 1) return listing(target, address, count);
  const code = await ifThere(target.memory(address, longestBytes));
  if (!code) return listing(target, address, 1);
  const known = remembered.get(target) ?? new Map<string, Instruction>();
  remembered.set(target, known);
  const key = `${await target.decoding()} ${address} ${Buffer.from(code).toString('hex')}`;
  const found = known.get(key);
  if (found) return [found];
  const [single] = await listing(target, address, 1);
  if (!single) return [];
  const size = single.bytes.length;
  const isCall = slotBytes > 0 && target.architecture.call.test(single.text);
  const stepped = isCall ? { ...single, bytes: code.slice(0, size + slotBytes) } : single;
  if (known.size >= maxRemembered) known.clear();
  known.set(key, stepped);
  return [stepped];
}

/**
 * Instructions for readers. The monitor disassembles as the processor would decode at this moment; `physical` of
 * memory as it is wired, while the stub takes such addresses.
 */
export async function listing(
  target: Target,
  address: bigint,
  count: number,
  physical = false,
): Promise<Instruction[]> {
  if (count === 0) return [];
  // One more, so that the length of the last is known where the monitor shows no code.
  const text = await target.qmp.hmp(`${physical ? 'xp' : 'x'}/${count + 1}i 0x${address.toString(16)}`, {
    cpuIndex: target.cpuIndex,
  });
  const all = parseDisassembly(text);
  const first = all[0]?.address ?? address;
  const shown = all[0]?.code === undefined || (await isCode(target, first, all[0].code));
  const lines = shown ? all : parseDisassembly(text, false);
  const listed = lines.slice(0, count);
  const last = listed.at(-1);
  if (!last) {
    const reason =
      text
        .trim()
        .replace(/\r?\n.*$/s, '')
        .replace(/^0x[0-9a-f]+:\s*/, '')
        .replace(/\.+$/, '')
        .slice(0, 100) || 'QEMU shows nothing there';
    if (address === (await target.pc())) return [{ address, bytes: new Uint8Array(), text: `(${reason})` }];
    throw new MachineError('ADDRESS_OUT_OF_BOUNDS', `0x${address.toString(16)} cannot be disassembled: ${reason}.`, [
      advice`Use an address that is mapped.`,
      advice`${call('state_read')} shows where execution is.`,
    ]);
  }
  const end = last.address + BigInt(last.length || lengthOf(lines, count - 1, target));
  const bytes = await target.memory(first, Number(end - first));
  return listed.map(({ address: at, length, text: words }, n) => {
    const offset = Number(at - first);
    return { address: at, bytes: bytes.slice(offset, offset + (length || lengthOf(lines, n, target))), text: words };
  });
}

/** Whether the digits are what lies there, byte by byte or as a number, and not the name of an instruction. */
async function isCode(target: Target, address: bigint, code: string): Promise<boolean> {
  const bytes = await ifThere(target.memory(address, code.length / 2));
  if (!bytes) return true;
  const hex = (part: Uint8Array) => Buffer.from(part).toString('hex');
  return code === hex(bytes) || code === hex(bytes.toReversed()) || code === hex(halvesTurned(bytes));
}

/** Long instructions of Thumb and RISC-V are written as numbers of 16 bits. */
function halvesTurned(bytes: Uint8Array): Uint8Array {
  return bytes.map((_, n) => bytes[n ^ 1] ?? 0);
}

/** Up to the next one; the last one is taken to be as long as the one before. */
function lengthOf(lines: readonly Line[], n: number, target: Target): number {
  const [before, here, next] = [lines[n - 1], lines[n], lines[n + 1]];
  if (here && next) return Number(next.address - here.address);
  if (here && before) return Number(here.address - before.address);
  return target.architecture.delaySlotBytes ?? 4;
}

/** Lines of `x/i`, with a column of code or without. Code too long for one line goes on in the next. */
export function parseDisassembly(text: string, withCode = true): Line[] {
  const lines: Line[] = [];
  for (const line of text.split('\n')) {
    const [, address = '', rest = ''] = lineForm.exec(line.trimEnd()) ?? [];
    const [, digits, words] = (withCode && codeColumn.exec(rest)) || [];
    const start = BigInt(`0x${address || 0}`);
    if (digits === undefined) {
      if (rest !== '' && !complaint.test(rest)) lines.push({ address: start, length: 0, text: tidy(rest) });
      continue;
    }
    const code = digits.replaceAll(/\s/g, '');
    const length = code.length / 2;
    const before = lines.at(-1);
    if (words === undefined && before && before.address + BigInt(before.length) === start) {
      lines[lines.length - 1] = { ...before, length: before.length + length };
    } else lines.push({ address: start, length, text: tidy(words ?? ''), code });
  }
  return lines;
}

function tidy(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** The same with the names of the addresses in it, and with those that are written as a distance from here. */
export function withNames(instruction: Instruction, symbols: QemuSymbols): Instruction {
  const named = (address: bigint) => {
    const name = symbols.size === 0 ? undefined : symbols.nameOf(address);
    return name === undefined ? '' : ` <${name}>`;
  };
  const { address, bytes } = instruction;
  const text = instruction.text.replaceAll(hexNumber, (number) => number + named(BigInt(number)));
  const [, sign, distance] = fromHere.exec(text) ?? [];
  if (distance === undefined) return { ...instruction, text };
  const next = address + BigInt(bytes.length);
  const meant = BigInt.asUintN(64, sign === '-' ? next - BigInt(distance) : next + BigInt(distance));
  return { ...instruction, text: `${text} # 0x${meant.toString(16)}${named(meant)}` };
}
