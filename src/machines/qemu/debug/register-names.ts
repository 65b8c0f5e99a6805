import type { TargetDescription, TargetRegister } from '../../../links/gdb/target-description.ts';
import type { Architecture } from './architecture.ts';

/** A register or a part of one. */
export interface NamedRegister {
  readonly register: TargetRegister;
  readonly shift: number;
  readonly bits: number;
}

/** All names that registers go by, in any case: the target's own and what people call them. */
export class RegisterNames {
  readonly #byName = new Map<string, NamedRegister>();
  readonly pc: TargetRegister | undefined;
  readonly sp: TargetRegister | undefined;
  readonly link: TargetRegister | undefined;

  constructor(description: TargetDescription, architecture: Architecture) {
    for (const register of description.registers) {
      const name = register.name.toLowerCase();
      if (!this.#byName.has(name)) this.#byName.set(name, { register, shift: 0, bits: register.bits });
    }
    this.pc = this.#first(architecture.pc);
    this.sp = this.#first(architecture.sp);
    this.link = this.#first(architecture.link ?? []);
    this.#alias('pc', this.pc);
    this.#alias('sp', this.sp);
    this.#alias('lr', this.link);
    this.#x86Parts();
    for (let n = 0; n <= 30; n++) this.#part(`w${n}`, `x${n}`, 32);
    if (description.architecture.startsWith('riscv')) this.#riscvNumbers(description.registers);
  }

  find(name: string): NamedRegister | undefined {
    return this.#byName.get(name.toLowerCase());
  }

  #first(names: readonly string[]): TargetRegister | undefined {
    return names.map((name) => this.find(name)?.register).find((register) => register !== undefined);
  }

  #alias(name: string, register: TargetRegister | undefined): void {
    if (register && !this.#byName.has(name)) this.#byName.set(name, { register, shift: 0, bits: register.bits });
  }

  #part(name: string, whole: string, bits: number, shift = 0): void {
    const found = this.#byName.get(whole);
    if (found && !this.#byName.has(name)) this.#byName.set(name, { register: found.register, shift, bits });
  }

  #x86Parts(): void {
    const wide = this.#byName.has('rax') ? 'r' : 'e';
    if (!this.#byName.has(`${wide}ax`)) return;
    for (const name of ['ax', 'bx', 'cx', 'dx', 'si', 'di', 'bp', 'sp', 'ip']) {
      const whole = `${wide}${name}`;
      this.#part(`e${name}`, whole, 32);
      if (name !== 'sp') this.#part(name, whole, 16);
      if (name.endsWith('x')) {
        this.#part(`${name.charAt(0)}l`, whole, 8);
        this.#part(`${name.charAt(0)}h`, whole, 8, 8);
      }
    }
    this.#alias('rflags', this.find('eflags')?.register);
    for (let n = 8; n <= 15; n++) this.#part(`r${n}d`, `r${n}`, 32);
  }

  /** Without this, `s0` is unknown: the target calls it `fp`. */
  #riscvNumbers(registers: readonly TargetRegister[]): void {
    for (const register of registers) if (register.number < 32) this.#alias(`x${register.number}`, register);
    this.#alias('s0', this.find('x8')?.register);
  }
}
