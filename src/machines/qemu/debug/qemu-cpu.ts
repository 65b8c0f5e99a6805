import type { TargetRegister } from '../../../links/gdb/target-description.ts';
import type { CallFrame, CpuCapability, Instruction, Register } from '../../../machine/cpu.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { QemuSymbols } from '../symbols/qemu-symbols.ts';
import { callStack, scanStack } from './call-stack.ts';
import { listing, withNames } from './disassembly.ts';
import { flagLetters } from './flag-letters.ts';
import { ifThere } from './if-there.ts';
import type { Rest } from './rest.ts';
import { cpuIndexOf, type Target } from './target.ts';

export interface Vcpu {
  readonly index: number;
  readonly selected: boolean;
  readonly pc: bigint;
}

export interface QemuCpuWires {
  readonly name: string;
  readonly execution: Rest;
  readonly target: Target;
  readonly symbols: QemuSymbols;
}

/**
 * One processor of the guest, or the one that is selected: the first, until a breakpoint stops another or another is
 * stepped.
 */
export class QemuCpu implements CpuCapability {
  readonly name: string;
  readonly #execution: Rest;
  readonly #target: Target;
  readonly #symbols: QemuSymbols;
  readonly #general: readonly TargetRegister[];
  readonly #thread: string | undefined;
  /** Of a processor that is not selected, when it was last looked at. */
  #pc = 0n;

  /** `thread` of one certain processor. */
  constructor({ name, execution, target, symbols }: QemuCpuWires, thread?: string) {
    this.name = name;
    this.#thread = thread;
    this.#execution = execution;
    this.#target = target;
    this.#symbols = symbols;
    this.#general = this.described.filter(isGeneral);
  }

  get pc(): bigint {
    return this.#isSelected ? this.#execution.pc : this.#pc;
  }

  registers(): Promise<readonly Register[]> {
    return this.#fresh(async () => {
      // Nobody says what the stub would send; where it stands is known all the same.
      if (this.described.length === 0) return [{ name: 'pc', value: this.pc, bits: 32 }];
      const registers: Register[] = [];
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
      const mask = most << BigInt(shift);
      const bitsWanted = BigInt.asUintN(bits, value) << BigInt(shift);
      const { wanted, got } = await this.#meant(async () => {
        const whole = await this.#target.register(register);
        const wanted = (whole & ~mask) | bitsWanted;
        return { wanted, got: await this.#target.setRegister(register, wanted) };
      });
      await this.#execution.replaced();
      if (got === wanted) return;
      throw new MachineError(
        'EXECUTION_ERROR',
        `${register.name} was set to 0x${wanted.toString(16)} but holds 0x${got.toString(16)}: the processor keeps only that.`,
        'A register that is fixed, or the upper half of one outside 64-bit mode, cannot be changed.',
      );
    });
  }

  disassemble(address: bigint, count: number): Promise<readonly Instruction[]> {
    return this.#execution.atRest(async () => {
      const instructions = await this.#meant(() => listing(this.#target, address, count));
      return instructions.map((instruction) => withNames(instruction, this.#symbols));
    });
  }

  disassembleIn(space: string, address: bigint, count: number): Promise<readonly Instruction[]> {
    if (space !== 'physical') return this.disassemble(address, count);
    return this.#execution.atRest(() =>
      this.#meant(async () => {
        await this.#target.gdb.physicalAddresses(true);
        try {
          return await listing(this.#target, address, count, true);
        } finally {
          await this.#target.gdb.physicalAddresses(false);
        }
      }),
    );
  }

  async callStack(): Promise<readonly CallFrame[]> {
    const frames = await this.#fresh(async () => {
      const found = await callStack(this.#target, this.#symbols);
      return found.length > 0 ? found : scanStack(this.#target, this.#symbols);
    });
    return frames.map(({ from, returnsTo, guess }) => ({ from, returnsTo, ...(guess && { guess }) }));
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

  /** The number of the selected processor. */
  get vcpu(): number {
    return this.#target.cpuIndex;
  }

  /** Looks at where it is. */
  refresh(): Promise<void> {
    return this.#fresh(async () => {});
  }

  get #isSelected(): boolean {
    return this.#thread === undefined || this.#thread === this.#target.thread;
  }

  #fresh<T>(action: () => Promise<T>): Promise<T> {
    return this.#execution.atRest(async () => {
      await this.#execution.refresh();
      return this.#meant(async () => {
        this.#pc = await this.#target.pc();
        return action();
      });
    });
  }

  /** Does something with this processor in question. */
  #meant<T>(action: () => Promise<T>): Promise<T> {
    return this.#target.on(this.#thread ?? this.#target.thread, action);
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
