import { disassemble } from '../../../chips/mos6510/disassemble.ts';
import { fields, getStatus, type Mos6510State } from '../../../chips/mos6510/registers.ts';
import { hex } from '../../../formats/hex.ts';
import type { SymbolTable } from '../../../machine/addresses.ts';
import type { CallFrame, CpuCapability, Instruction, Register } from '../../../machine/cpu.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { MemoryCapability } from '../../../machine/memory.ts';
import { callStack, recentCallStack, type StackedMachine } from './call-stack.ts';
import type { RegisterName } from './input-event.ts';

const registerBits: Readonly<Record<RegisterName, number>> = { PC: 16, A: 8, X: 8, Y: 8, SP: 8, P: 8 };

/** A 6502 as it is wired: the computer's, or a drive's. */
export interface CpuWires extends Omit<StackedMachine, 'state'> {
  /** Its make. */
  readonly name: string;
  /** The memory space that it sees. */
  readonly space: string;
  /** As they are now. */
  state(): Mos6510State;
  /** Of the next instruction, or of the one under way. */
  pc(): number;
  write(name: RegisterName, value: number): void;
}

/** A processor of a Commodore for debuggers. */
export class CommodoreCpu implements CpuCapability {
  readonly #wires: CpuWires;
  readonly #memory: MemoryCapability;
  readonly #symbols: SymbolTable;

  constructor(wires: CpuWires, memory: MemoryCapability, symbols: SymbolTable) {
    this.#wires = wires;
    this.#memory = memory;
    this.#symbols = symbols;
  }

  get name(): string {
    return this.#wires.name;
  }

  get pc(): bigint {
    return BigInt(this.#wires.pc());
  }

  async registers(): Promise<readonly Register[]> {
    const state = this.#wires.state();
    const status = getStatus(state);
    const values: Record<RegisterName, number> = {
      PC: this.#wires.pc(),
      A: state[fields.a],
      X: state[fields.x],
      Y: state[fields.y],
      SP: state[fields.s],
      P: status,
    };
    return Object.entries(values).map(([name, value]) => {
      const bits = name === 'PC' ? 16 : 8;
      return name === 'P'
        ? { name, value: BigInt(value), bits, flags: flagLetters(value) }
        : { name, value: BigInt(value), bits };
    });
  }

  async setRegister(name: string, value: bigint): Promise<void> {
    const register = name.toUpperCase();
    if (!isRegister(register)) {
      const names = Object.keys(registerBits).join(', ');
      throw new MachineError('INVALID_ARGUMENT', `No register ${name.slice(0, 20)}.`, `Registers: ${names}.`);
    }
    const most = 2 ** registerBits[register] - 1;
    if (value < 0 || value > most) {
      const range = `$0-$${hex(most)}`;
      const message = `${register} cannot be ${value}.`;
      throw new MachineError('INVALID_ARGUMENT', message, `Use ${range}.`, { valid_range: range });
    }
    this.#wires.write(register, Number(value));
  }

  disassemble(address: bigint, count: number): Promise<readonly Instruction[]> {
    return this.disassembleIn(this.#wires.space, address, count);
  }

  /** Also of a drive, whose processor is of the same make. */
  async disassembleIn(space: string, address: bigint, count: number): Promise<readonly Instruction[]> {
    const instructions: Instruction[] = [];
    const size = this.#memory.spaces.find(({ name }) => name === space)?.size ?? 0x10000n;
    let at = address % size;
    for (let index = 0; index < count; index++) {
      const three = await this.#three(space, at, size);
      const { text, length } = disassemble(three, Number(at), (target) => this.#symbols.describe(BigInt(target), 0n));
      instructions.push({ address: at, bytes: three.slice(0, length), text });
      at = (at + BigInt(length)) % size;
    }
    return instructions;
  }

  async #three(space: string, at: bigint, size: bigint): Promise<Uint8Array> {
    const inside = Number(size - at);
    if (inside >= 3) return this.#memory.peek(space, at, 3);
    const [end, start] = [await this.#memory.peek(space, at, inside), await this.#memory.peek(space, 0n, 3 - inside)];
    return Uint8Array.of(...end, ...start);
  }

  callStack(): Promise<readonly CallFrame[]> {
    return callStack(this.#stacked());
  }

  /** The same at less cost: of what happened more than a frame ago only as much as the stack tells. */
  recentCalls(): readonly CallFrame[] {
    return recentCallStack(this.#stacked());
  }

  #stacked(): StackedMachine {
    return { ...this.#wires, state: this.#wires.state() };
  }
}

function isRegister(name: string): name is RegisterName {
  return name in registerBits;
}

function flagLetters(status: number): string {
  return [...'nv-bdizc'].map((letter, index) => (status & (0x80 >> index) ? letter.toUpperCase() : letter)).join('');
}
