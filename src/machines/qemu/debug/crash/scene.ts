import { lowerHex } from '../../../../formats/hex.ts';
import type { PageWalk } from '../../../../machine/paging.ts';
import type { QemuSymbols } from '../../symbols/qemu-symbols.ts';
import { callStack, framesFrom, scanStack } from '../call-stack.ts';
import { listing } from '../disassembly.ts';
import { walkNow } from '../paging/qemu-paging.ts';
import type { Target } from '../target.ts';

const nullReach = 0x1000n;
const maxCalls = 8;
/** Bytes with which allocators and compilers fill what nobody may use, and who does so. */
const fillers: Readonly<Record<number, string>> = {
  107: 'Linux fills freed memory with it',
  90: 'Linux fills memory that was never written with it',
  165: 'allocators fill memory with it',
  204: 'compilers fill new stacks with it',
  205: 'allocators fill new memory with it',
  221: 'allocators fill freed memory with it',
  254: 'allocators fill freed memory with it',
  222: 'allocators fill freed memory with it',
};
const marks = /dead|beef|badc|baad|feed|f00d|c0de/;

/** What explanations say about addresses, with the processor in question at rest. */
export class Scene {
  readonly target: Target;
  readonly symbols: QemuSymbols;

  constructor(target: Target, symbols: QemuSymbols) {
    this.target = target;
    this.symbols = symbols;
  }

  /** `0x101234 divide+8 (kernel.c:41)`. */
  place(address: bigint): string {
    const name = this.symbols.describe(address);
    return `0x${lowerHex(address)}${name === undefined ? '' : ` ${name}`}`;
  }

  /** The line of source if it is known, else as `place`. */
  where(address: bigint): string {
    const line = this.symbols.lineOf(address);
    const name = this.symbols.nameOf(address);
    return line === undefined
      ? this.place(address)
      : `${line}${name === undefined ? '' : `, in ${name.replace(/\+\d+$/, '')}`}`;
  }

  async instruction(address: bigint): Promise<string | undefined> {
    try {
      const [found] = await listing(this.target, address, 1);
      return found && found.bytes.length > 0 ? found.text : undefined;
    } catch {
      return undefined;
    }
  }

  walk(address: bigint): Promise<PageWalk> {
    return walkNow(this.target, address);
  }

  /** Calls that led to an instruction, innermost first: of now, or by the frame pointer of then. */
  async calls(pc: bigint, framePointer: bigint | undefined): Promise<string[]> {
    const { target, symbols } = this;
    const isNow = (await target.pc()) === pc;
    let frames = isNow ? await callStack(target, symbols) : await framesFrom(target, framePointer ?? 0n);
    const guess = isNow && frames.length === 0;
    if (guess) frames = await scanStack(target, symbols);
    const places = frames.map(({ from }) => this.place(from));
    return joined(places).map((text) => `  ${guess ? 'perhaps ' : ''}called from ${text}`);
  }

  /** What kind of address nobody would use on purpose, if it is one. */
  suspicion(address: bigint): string | undefined {
    if (address < nullReach) return address === 0n ? 'a null pointer' : `a null pointer with offset ${address}`;
    const digits = lowerHex(address, 16);
    const narrow = address < 1n << 32n ? digits.slice(8) : digits;
    const [first = 0] = Buffer.from(narrow, 'hex');
    const high = narrow.slice(0, -4);
    const isFilled = first !== 0 && first !== 255 && high === narrow.slice(0, 2).repeat(high.length / 2);
    if (isFilled && first in fillers)
      return `memory that is not valid any more: bytes 0x${lowerHex(first)}, ${fillers[first]}`;
    return marks.test(narrow)
      ? 'memory that is not valid any more: the address is a mark such as allocators leave'
      : undefined;
  }

  /** Registers, as QEMU logged them, that hold such an address. */
  suspects(registers: string | undefined): { readonly name: string; readonly value: bigint; readonly why: string }[] {
    const found = [...(registers ?? '').matchAll(/\b([RE][A-Z0-9]{1,2}|X\d\d|[ast]\d+)\s*=\s*([0-9a-f]{8,16})\b/g)];
    return found.flatMap(({ 1: name = '', 2: digits = '0' }) => {
      const value = BigInt(`0x${digits}`);
      const why = value < nullReach || /^[ER](?:FL|SP|IP)$/.test(name) ? undefined : this.suspicion(value);
      return why === undefined ? [] : [{ name: name.toLowerCase(), value, why }];
    });
  }
}

/** The same place many times is a recursion. */
function joined(places: readonly string[]): string[] {
  const lines: { text: string; times: number }[] = [];
  for (const text of places) {
    const last = lines.at(-1);
    if (last?.text === text) last.times++;
    else lines.push({ text, times: 1 });
  }
  const shown = lines
    .slice(0, maxCalls)
    .map(({ text, times }) => (times > 1 ? `${text} (${times} times: it calls itself)` : text));
  return lines.length > maxCalls ? [...shown, `… ${lines.length - maxCalls} more`] : shown;
}
