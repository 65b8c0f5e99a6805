import { Decoder } from '../../../chips/x86/decode.ts';
import type { Instruction } from '../../../chips/x86/instruction.ts';
import { placeOf } from '../../../chips/x86/register-access.ts';
import { fields, toBase } from '../../../chips/x86/registers.ts';
import type { X86 } from '../../../chips/x86/x86.ts';
import type { SymbolTable } from '../../../machine/addresses.ts';
import type { DataReference } from '../../../machine/graph.ts';
import type { TraceCapability, TraceEntry, TracePage, TraceRequest, TraceStatus } from '../../../machine/trace.ts';
import { compileCondition, type Vocabulary } from '../../shared/condition/condition.ts';
import { TimeSlice } from '../../shared/time-slice.ts';
import { TraceRing } from '../../shared/trace-ring.ts';
import { codeText } from './code-text.ts';
import { placeOf as codePlace } from './dos-addresses.ts';
import type { InstructionHooks } from './instruction-hooks.ts';
import { memoryAccesses, stateWith } from './memory-access.ts';
import { registerNames, type ShownRegister } from './register-names.ts';

/** Longest instruction that is kept whole. */
const codeBytes = 16;
const timeWords = 2;
/** How the code was read, and its length. */
const lengthWords = 2;
/** References are looked for among so many of the newest entries. */
const mostSearched = 100_000;

export interface TraceWires {
  readonly cpu: X86;
  readonly hooks: InstructionHooks;
  readonly vocabulary: Vocabulary;
  readonly symbols: SymbolTable;
}

/** Each instruction with the registers before it, in a ring of plain numbers; text is made when it is read. */
export class DosTrace implements TraceCapability {
  readonly #wires: TraceWires;
  readonly #registers: readonly ShownRegister[];
  #ring = new TraceRing(1, 1);
  #request: TraceRequest | undefined;
  #unhook: (() => void) | undefined;
  #full = false;
  /** Time of the newest entry. */
  #latest = -1;
  readonly #copyRegisters: (to: Int32Array, at: number) => void;

  constructor(wires: TraceWires) {
    this.#wires = wires;
    this.#registers = registerNames(wires.cpu.model);
    this.#copyRegisters = wires.cpu.copier(this.#registers.map(({ name }) => placeOf(name).word));
  }

  get status(): TraceStatus {
    const { total, dropped, capacity } = this.#ring;
    return { active: this.#unhook !== undefined, total, dropped, capacity, full: this.#full };
  }

  async start(request: TraceRequest): Promise<TraceStatus> {
    const { condition, first, last, maxEntries, maxBytes } = request;
    const holds = condition === undefined ? undefined : compileCondition(condition, this.#wires.vocabulary);
    const [low, high] = [Number(first ?? 0n), Number(last ?? BigInt(Number.MAX_SAFE_INTEGER))];
    this.#unhook?.();
    const words = timeWords + this.#registers.length + lengthWords + codeBytes / 4;
    const room = Math.max(1, Math.floor(maxBytes / (words * 4)));
    this.#ring = new TraceRing(Math.min(room, maxEntries ?? room), words);
    this.#request = request;
    this.#full = false;
    this.#latest = -1;
    const rounds = condition?.length ?? 0;
    this.#unhook = this.#wires.hooks.add((instruction) => {
      const { linear } = instruction;
      this.#wires.cpu.tire(rounds);
      if (linear < low || linear > high || (holds && holds() === 0)) return;
      this.#write(instruction);
    });
    return this.status;
  }

  async stop(): Promise<TraceStatus> {
    this.#unhook?.();
    this.#unhook = undefined;
    return this.status;
  }

  async read(from: number, limit: number): Promise<TracePage> {
    return this.#ring.page(from, limit, (seq, words, before) => this.#entry(seq, words, before));
  }

  /** Who read and wrote an address, or what the instruction there read and wrote, as far as it was traced. */
  async dataReferences(address: bigint): Promise<readonly DataReference[]> {
    const wanted = Number(address);
    const found = new Map<string, DataReference>();
    const { total, dropped } = this.#ring;
    const slice = new TimeSlice();
    for (let seq = Math.max(dropped, total - mostSearched); seq < total; seq++) {
      if (seq % 64 === 0 && slice.isOver) await slice.next();
      const words = this.#ring.entry(seq);
      if (!words) continue;
      const values = this.#registers.map(({ name }, index) => [name, words[timeWords + index] ?? 0] as const);
      const registers = new Map(values);
      const [cs, ip] = [registers.get('cs') ?? 0, (registers.get('ip') ?? registers.get('eip') ?? 0) >>> 0];
      const decoded = this.#decoded(cs, ip, words);
      for (const { address: target, bytes, access } of memoryAccesses(decoded, this.#state(decoded, values))) {
        const instruction = codePlace(decoded);
        if (instruction.address !== address && (wanted < target || wanted >= target + bytes)) continue;
        found.set(`${instruction.where} ${access} ${target}`, { instruction, access, target: BigInt(target) });
      }
    }
    return [...found.values()];
  }

  /** Forgets what lies in the future of a machine that was taken back. */
  cutBehind(time: number): void {
    const ring = this.#ring;
    let total = ring.total;
    for (let last = ring.entry(total - 1); last && timeOf(last) >= time; last = ring.entry(total - 1)) total--;
    ring.truncate(total);
    const last = ring.entry(ring.total - 1);
    this.#latest = last ? timeOf(last) : -1;
  }

  #write(instruction: Instruction): void {
    const { cpu } = this.#wires;
    const ring = this.#ring;
    const now = cpu.instructions;
    // An instruction that a breakpoint kept from running is looked at again when it does run; the past is run again.
    if (now <= this.#latest) return;
    if (this.#request?.whenFull === 'stop' && ring.total === ring.capacity) {
      this.#full = true;
      void this.stop();
      return;
    }
    this.#latest = now;
    const words = ring.reserve();
    let at = ring.offset;
    words[at] = now;
    words[at + 1] = now / 0x100000000;
    at += timeWords;
    this.#copyRegisters(words, at);
    at += this.#registers.length;
    const { bytes } = instruction;
    words[at] = instruction.space.id;
    words[at + 1] = bytes.length;
    if (instruction.wild.length > 0) this.#writeChanged(instruction, words, at + lengthWords);
    else writeCode(bytes, words, at + lengthWords);
  }

  /** Operands that programs change are read from memory. */
  #writeChanged(instruction: Instruction, words: Int32Array, at: number): void {
    const { cpu } = this.#wires;
    const kept = Math.min(instruction.length, codeBytes);
    const bytes = Uint8Array.from({ length: kept }, (_, index) => cpu.peek(instruction.byteAddress(index)));
    writeCode(bytes, words, at);
  }

  /** Selectors mean what the tables say now. */
  #state({ space }: Instruction, values: readonly (readonly [string, number])[]): Int32Array {
    const state = stateWith(values);
    if (space.segmented) return state;
    const { cpu } = this.#wires;
    for (let index: number = fields.es; index <= fields.gs; index++) {
      state[index + toBase] = cpu.selectorBase(state[index] ?? 0) ?? 0;
    }
    return state;
  }

  #codeAt(words: Int32Array): Int32Array {
    return words.subarray(timeWords + this.#registers.length);
  }

  #entry(seq: number, words: Int32Array, before: Int32Array | undefined): TraceEntry {
    const values = this.#registers.map(({ name, bits }, index) => {
      const word = words[timeWords + index] ?? 0;
      return {
        name,
        bits,
        value: bits === 32 ? word >>> 0 : word & 0xffff,
        isSame: before?.[timeWords + index] === word,
      };
    });
    const registerValue = (wanted: string) => values.find(({ name }) => name === wanted)?.value ?? 0;
    const [cs, ip] = [registerValue('cs'), registerValue('ip') || registerValue('eip')];
    const decoded = this.#decoded(cs, ip, words);
    return {
      seq,
      time: timeOf(words),
      ...codePlace(decoded),
      text: codeText(decoded, this.#wires.symbols),
      registers: values
        .filter(({ name, isSame }) => !isSame && name !== 'cs' && name !== 'ip' && name !== 'eip')
        .map(({ name, value, bits }) => ({ name, value, bits })),
    };
  }

  #decoded(cs: number, ip: number, words: Int32Array): Instruction {
    const code = this.#codeAt(words);
    const bytes = new Uint8Array(code.buffer, code.byteOffset + lengthWords * 4, codeBytes);
    const { cpu } = this.#wires;
    const space = cpu.spaceAt(code[0] ?? 0);
    const first = space.linear(cs, ip);
    const mask = space.wide ? -1 : 0xffff;
    return new Decoder(cpu.model, (linear) => bytes[(linear - first) & mask] ?? 0).decode(cs, ip, space);
  }
}

/** Sixteen bytes at most, four to a word, zeros after them. */
function writeCode(bytes: Uint8Array, words: Int32Array, at: number): void {
  const { length } = bytes;
  for (let word = 0; word < codeBytes / 4; word++) {
    const first = word * 4;
    words[at + word] =
      first >= length
        ? 0
        : (bytes[first] as number) |
          ((first + 1 < length ? (bytes[first + 1] as number) : 0) << 8) |
          ((first + 2 < length ? (bytes[first + 2] as number) : 0) << 16) |
          ((first + 3 < length ? (bytes[first + 3] as number) : 0) << 24);
  }
}

function timeOf(words: Int32Array): number {
  return ((words[0] ?? 0) >>> 0) + (words[1] ?? 0) * 0x100000000;
}
