import type { CodeAddress } from '../../../chips/x86/code-space.ts';
import { Block } from '../../../chips/x86/graph/block.ts';
import type { Context } from '../../../chips/x86/graph/contexts.ts';
import { registerPlaces } from '../../../chips/x86/registers.ts';
import type { X86 } from '../../../chips/x86/x86.ts';
import { hex } from '../../../formats/hex.ts';
import type { CallFrame, CpuCapability, Instruction, Register } from '../../../machine/cpu.ts';
import { MachineError } from '../../../machine/errors.ts';
import { codeText } from './code-text.ts';
import type { DosAddresses } from './dos-addresses.ts';
import { numericRegisters } from './numeric-registers.ts';
import { registerNames } from './register-names.ts';

const flagLetters = [
  [11, 'o'],
  [10, 'd'],
  [9, 'i'],
  [8, 't'],
  [7, 's'],
  [6, 'z'],
  [4, 'a'],
  [2, 'p'],
  [0, 'c'],
] as const;

/** The x86 for debuggers. */
export class DosCpu implements CpuCapability {
  readonly name: string;
  readonly #cpu: X86;
  readonly #addresses: DosAddresses;
  readonly #write: (name: string, value: number | bigint) => void;

  /** `write` is how a register is set, so that whoever keeps the machine's history hears of it. */
  constructor(
    cpu: X86,
    addresses: DosAddresses,
    write = (name: string, value: number | bigint) => writeRegister(cpu, name, value),
  ) {
    this.name = `Intel ${cpu.model}`;
    this.#cpu = cpu;
    this.#addresses = addresses;
    this.#write = write;
  }

  get pc(): bigint {
    return BigInt(this.#cpu.pc);
  }

  /** Those of the coprocessor are shown as long as there is something on its stack. */
  async registers(): Promise<readonly Register[]> {
    const cpu = this.#cpu;
    const general = registerNames(cpu.model).map(({ name, bits }) => {
      const value = cpu.get(name);
      const register = { name: name.toUpperCase(), value: BigInt(value), bits };
      return name.endsWith('flags') ? { ...register, flags: lettersOf(value) } : register;
    });
    const fpu = cpu.coprocessor;
    if (!fpu?.isInUse) return general;
    const shown = [...numericRegisters.values()].filter(
      ({ name }, index) => !name.startsWith('st') || !fpu.isEmpty(index),
    );
    return [...general, ...shown.map(({ name, bits, read }) => ({ name: name.toUpperCase(), value: read(fpu), bits }))];
  }

  async setRegister(name: string, value: bigint): Promise<void> {
    const place = registerPlaces.get(name.toLowerCase()) ?? this.#numeric(name);
    if (!place) {
      const numeric = this.#cpu.coprocessor ? numericRegisters.keys() : [];
      const names = [...registerPlaces.keys(), ...numeric].join(', ');
      throw new MachineError('INVALID_ARGUMENT', `No register ${name.slice(0, 20)}.`, `Registers: ${names}.`);
    }
    // A segment register is a selector, whatever the width of its word.
    const most = 2n ** BigInt(place.bits) - 1n;
    if (value < 0n || value > most) {
      const range = `0-0x${hex(most)}`;
      const message = `${name.toUpperCase()} cannot be ${value}.`;
      throw new MachineError('INVALID_ARGUMENT', message, `Use ${range}.`, { valid_range: range });
    }
    this.#write(name.toLowerCase(), place.bits === 80 ? value : Number(value));
  }

  #numeric(name: string): { readonly bits: 16 | 80 } | undefined {
    return this.#cpu.coprocessor ? numericRegisters.get(name.toLowerCase()) : undefined;
  }

  /** Instructions that ran keep their places; what would run into one is data. */
  async disassemble(address: bigint, count: number): Promise<readonly Instruction[]> {
    const cpu = this.#cpu;
    const { graph, space } = cpu;
    const { segment, offset } = this.#start(Number(address));
    const found: Instruction[] = [];
    let ip = offset;
    while (found.length < count) {
      const at = space.linear(segment, ip);
      const node = cpu.decode(segment, ip);
      const cut = range(1, node.length).find((step) => graph.nodeAt(segment, space.wrap(ip + step)) !== null);
      const length = Math.max(1, cut ?? node.length);
      const bytes = Uint8Array.from(range(0, length), (step) => cpu.peek(node.byteAddress(step)));
      const isCode = cut === undefined || graph.nodeAt(segment, ip) !== null;
      const text = isCode ? codeText(node, this.#addresses.symbols) : `db ${[...bytes].map(byteText).join(',')}`;
      found.push({ address: BigInt(at), bytes, text });
      ip = space.wrap(ip + length);
    }
    return found;
  }

  /** In protected mode as code is read now: an address elsewhere tells nothing of its segment. */
  #start(linear: number): { readonly segment: number; readonly offset: number } {
    const { space } = this.#cpu;
    if (!space.segmented) return { segment: space.selector, offset: space.wrap(linear - space.base) };
    const { segment, offset } = this.#addresses.split(linear);
    return { segment, offset: offset & 0xffff };
  }

  /** The calls that were made and have not returned, and the interrupts among them. */
  async callStack(): Promise<readonly CallFrame[]> {
    return this.#cpu.contexts.toReversed().flatMap(({ calls, suspended, cause }) => [
      ...calls.frames().map(({ edge: { from }, returnKey }) => ({
        from: from instanceof Block ? this.#at(from.last) : this.#atKey(from.key),
        returnsTo: this.#atKey(returnKey),
      })),
      ...(suspended ? [this.#interrupted(suspended, cause === 'fault')] : []),
    ]);
  }

  /** A fault goes back to the instruction that made it. */
  #interrupted({ block, after }: NonNullable<Context['suspended']>, faulted: boolean): CallFrame {
    const { cs, ip, space } = after ?? block.first;
    const offset = after && !faulted ? after.next : ip;
    const at = this.#at({ cs, ip: offset, linear: space.linear(cs, offset), space });
    return { from: at, returnsTo: at };
  }

  #atKey(key: number): bigint {
    return this.#at(this.#cpu.addressOf(key));
  }

  #at({ cs, ip, linear, space }: CodeAddress): bigint {
    if (space.segmented) this.#addresses.know(cs, ip);
    return BigInt(linear);
  }
}

/** Sets a register of the processor or of its coprocessor. */
export function writeRegister(cpu: X86, name: string, value: number | bigint): void {
  const numeric = numericRegisters.get(name);
  if (!numeric) cpu.set(name, Number(value));
  else if (cpu.coprocessor) numeric.write(cpu.coprocessor, BigInt(value));
}

function lettersOf(flags: number): string {
  return flagLetters.map(([bit, letter]) => ((flags >> bit) & 1 ? letter.toUpperCase() : letter)).join('');
}

function byteText(byte: number): string {
  return byte < 10 ? String(byte) : `0x${byte.toString(16)}`;
}

function range(first: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
}
