import type { TargetRegister } from '../../../links/gdb/target-description.ts';
import type { CallFrame, CpuCapability, Instruction, Register } from '../../../machine/cpu.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { QemuSymbols } from '../symbols/qemu-symbols.ts';
import { callStack } from './call-stack.ts';
import { listing, withNames } from './disassembly.ts';
import type { Execution } from './execution.ts';
import { flagLetters } from './flag-letters.ts';
import { ifThere } from './if-there.ts';
import { cpuIndexOf, type Target } from './target.ts';

export interface Vcpu {
  readonly index: number;
  readonly selected: boolean;
  readonly pc: bigint;
}

const selectionName = 'vcpu';

/** The processor that is selected: the first, until a breakpoint stops another or somebody asks for one. */
export class QemuCpu implements CpuCapability {
  readonly name: string;
  readonly #execution: Execution;
  readonly #target: Target;
  readonly #symbols: QemuSymbols;
  readonly #general: readonly TargetRegister[];

  constructor(name: string, execution: Execution, target: Target, symbols: QemuSymbols) {
    this.name = name;
    this.#execution = execution;
    this.#target = target;
    this.#symbols = symbols;
    this.#general = this.described.filter(isGeneral);
  }

  get pc(): bigint {
    return this.#execution.pc;
  }

  registers(): Promise<readonly Register[]> {
    return this.#fresh(async () => {
      const registers: Register[] = this.#execution.threads.length > 1 ? [this.#selection] : [];
      // Nobody says what the stub would send; where it stands is known all the same.
      if (this.described.length === 0) return [...registers, { name: 'pc', value: this.pc, bits: 32 }];
      const values = await this.#target.general();
      for (const register of this.#general) {
        const value = values.get(register.number);
        if (value !== undefined) registers.push(shown(register, value));
      }
      return registers;
    });
  }

  /** Also vectors, system registers and whatever else the target describes; those it will not tell are left out. */
  allRegisters(): Promise<readonly Register[]> {
    return this.read(this.described);
  }

  read(registers: readonly TargetRegister[]): Promise<readonly Register[]> {
    return this.#fresh(async () => {
      const all: Register[] = [];
      for (const register of registers) {
        const value = await ifThere(this.#target.register(register));
        if (value !== undefined) all.push(shown(register, value));
      }
      return all;
    });
  }

  async register(name: string): Promise<bigint> {
    this.#find(name);
    return this.#fresh(() => this.#target.value(name));
  }

  async setRegister(name: string, value: bigint): Promise<void> {
    if (name.toLowerCase() === selectionName) return this.selectVcpu(Number(value));
    const { register, shift, bits } = this.#find(name);
    const most = (1n << BigInt(bits)) - 1n;
    if (value > most || value < -(1n << BigInt(bits - 1))) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        `${name} has ${bits} bits and cannot hold ${value < 0n ? value : `0x${value.toString(16)}`}.`,
        `Use a value from 0 to 0x${most.toString(16)}.`,
      );
    }
    await this.#execution.atRest(async () => {
      const whole = await this.#target.register(register);
      const mask = most << BigInt(shift);
      const wanted = (whole & ~mask) | (BigInt.asUintN(bits, value) << BigInt(shift));
      const got = await this.#target.setRegister(register, wanted);
      await this.#execution.replaced();
      if (got === wanted) return;
      throw new MachineError(
        'EXECUTION_ERROR',
        `${register.name} was told 0x${wanted.toString(16)} and holds 0x${got.toString(16)}: the processor keeps only that.`,
        'A register that is fixed, or the upper half of one outside of 64-bit mode, cannot be changed.',
      );
    });
  }

  disassemble(address: bigint, count: number): Promise<readonly Instruction[]> {
    return this.#execution.atRest(async () => {
      const instructions = await listing(this.#target, address, count);
      return instructions.map((instruction) => withNames(instruction, this.#symbols));
    });
  }

  async callStack(): Promise<readonly CallFrame[]> {
    const frames = await this.#fresh(() => callStack(this.#target, this.#symbols));
    return frames.map(({ from, returnsTo }) => ({ from, returnsTo }));
  }

  vcpus(): Promise<readonly Vcpu[]> {
    return this.#fresh(async () => {
      const selected = this.#target.thread;
      const all: Vcpu[] = [];
      for (const thread of this.#execution.threads) {
        this.#target.focus(thread);
        all.push({ index: cpuIndexOf(thread), selected: thread === selected, pc: await this.#target.pc() });
      }
      this.#target.focus(selected);
      return all;
    });
  }

  async selectVcpu(index: number): Promise<void> {
    const thread = this.#execution.threads.find((each) => cpuIndexOf(each) === index);
    if (thread !== undefined) return this.#execution.select(thread);
    const indexes = this.#execution.threads.map(cpuIndexOf).join(', ');
    throw new MachineError('INVALID_ARGUMENT', `No vcpu ${index}.`, `There are: ${indexes}.`);
  }

  /** The number of the selected processor. */
  get vcpu(): number {
    return this.#target.cpuIndex;
  }

  /** Shown with the registers and set like one, so that tools which know nothing of several processors can choose. */
  get #selection(): Register {
    return { name: selectionName, value: BigInt(this.vcpu), bits: 8 };
  }

  #fresh<T>(action: () => Promise<T>): Promise<T> {
    return this.#execution.atRest(async () => {
      await this.#execution.refresh();
      return action();
    });
  }

  get described(): readonly TargetRegister[] {
    return this.#target.description.registers;
  }

  #find(name: string) {
    const found = this.#target.names.find(name);
    if (found) return found;
    const names = this.described.map((register) => register.name);
    const more = names.length > 80 ? ` and ${names.length - 80} more` : '';
    throw new MachineError(
      'INVALID_ARGUMENT',
      `No register ${JSON.stringify(name.slice(0, 40))}.`,
      `Registers: ${names.slice(0, 80).join(', ')}${more}.`,
    );
  }
}

function isGeneral({ bits, group }: TargetRegister): boolean {
  return bits <= 64 && group !== 'float' && group !== 'vector';
}

function shown({ name, bits }: TargetRegister, value: bigint): Register {
  const flags = flagLetters(name, value);
  return flags === undefined ? { name, value, bits } : { name, value, bits, flags };
}
