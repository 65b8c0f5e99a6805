import { disassemble } from '../../../chips/mos6510/disassemble.ts';
import { hex } from '../../../formats/hex.ts';
import type { SymbolTable } from '../../../machine/addresses.ts';
import type { CallFrame, CpuCapability, Instruction, Register } from '../../../machine/cpu.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { MemoryCapability } from '../../../machine/memory.ts';
import type { ViceSession } from './vice-session.ts';

/** Counters of the beam, and the port of a 6510, which is memory. */
const noRegisters = new Set(['LIN', 'CYC', '00', '01']);
const flags = 'FL';
const longestInstruction = 3;
const jsr = 0x20;

/** The processor of a VICE, by our names for its registers. */
export class ViceCpu implements CpuCapability {
  readonly name: string;
  readonly #session: ViceSession;
  readonly #memory: MemoryCapability;
  readonly #symbols: SymbolTable;
  readonly #written: () => void;

  /** `written`: after each change of a register. */
  constructor(name: string, session: ViceSession, memory: MemoryCapability, symbols: SymbolTable, written: () => void) {
    this.name = name;
    this.#session = session;
    this.#memory = memory;
    this.#symbols = symbols;
    this.#written = written;
  }

  get pc(): bigint {
    return BigInt(this.#session.now.pc);
  }

  async registers(): Promise<readonly Register[]> {
    const { registers } = await this.#session.look();
    return [...this.#session.registers].flatMap(([name, { bits }]) => {
      if (noRegisters.has(name)) return [];
      const value = registers.get(name) ?? 0;
      return name === flags
        ? [{ name: 'P', value: BigInt(value), bits, flags: flagLetters(value) }]
        : [{ name, value: BigInt(value), bits }];
    });
  }

  async setRegister(name: string, value: bigint): Promise<void> {
    const asked = name.toUpperCase();
    const fact = this.#session.registers.get(asked === 'P' ? flags : asked);
    if (!fact || noRegisters.has(asked)) {
      const names = (await this.registers()).map((each) => each.name).join(', ');
      throw new MachineError('INVALID_ARGUMENT', `No register ${name.slice(0, 20)}.`, `Registers: ${names}.`);
    }
    const most = 2 ** fact.bits - 1;
    if (value < 0 || value > most) {
      const range = `$0-$${hex(most)}`;
      throw new MachineError('INVALID_ARGUMENT', `${asked} cannot be ${value}.`, `Use ${range}.`, {
        valid_range: range,
      });
    }
    await this.#session.setRegister(fact.id, Number(value));
    this.#written();
  }

  disassemble(address: bigint, count: number): Promise<readonly Instruction[]> {
    return this.disassembleIn('cpu', address, count);
  }

  async disassembleIn(space: string, address: bigint, count: number): Promise<readonly Instruction[]> {
    const first = Number(address) & 0xffff;
    const wanted = Math.min(0x10000, count * longestInstruction + longestInstruction);
    const length = Math.min(wanted, 0x10000 - first);
    const end = await this.#memory.peek(space, BigInt(first), length);
    const start = wanted > length ? await this.#memory.peek(space, 0n, wanted - length) : new Uint8Array();
    const bytes = Uint8Array.of(...end, ...start);
    const instructions: Instruction[] = [];
    for (let at = 0; instructions.length < count && at + longestInstruction <= bytes.length; ) {
      const here = (first + at) & 0xffff;
      const three = bytes.subarray(at, at + longestInstruction);
      const { text, length: size } = disassemble(three, here, (target) => this.#symbols.describe(BigInt(target), 0n));
      instructions.push({ address: BigInt(here), bytes: three.slice(0, size), text });
      at += size;
    }
    return instructions;
  }

  /** VICE keeps no past: return addresses are those on the stack that follow a JSR. */
  async callStack(): Promise<readonly CallFrame[]> {
    const { registers } = await this.#session.look();
    const memory = await this.#session.peek(0, 0, 0x10000);
    const frames: CallFrame[] = [];
    for (let at = (registers.get('SP') ?? 0xff) + 1; at < 0xff; at++) {
      const last = (memory[0x100 + at] ?? 0) | ((memory[0x101 + at] ?? 0) << 8);
      const from = (last - 2) & 0xffff;
      if (memory[from] !== jsr) continue;
      frames.push({
        from: BigInt(from),
        returnsTo: BigInt((last + 1) & 0xffff),
        kind: 'call',
        guess: frames.length > 0,
      });
      at++;
    }
    return frames;
  }
}

function flagLetters(status: number): string {
  return [...'nv-bdizc'].map((letter, index) => (status & (0x80 >> index) ? letter.toUpperCase() : letter)).join('');
}
