import { MachineError } from '../../../machine/errors.ts';
import { compileWideCondition, type WideReading, type WideVocabulary } from '../../shared/condition/wide-condition.ts';
import { compileTyped, whereVisible } from '../source/typed-condition.ts';
import type { QemuSymbols } from '../symbols/qemu-symbols.ts';
import type { Target } from './target.ts';
import { vcpuName } from './vcpu-name.ts';

/** What names mean in conditions: registers of the processor that stopped, the access in hand, symbols. */
export class TargetVocabulary implements WideVocabulary {
  readonly #target: Target;
  readonly #symbols: QemuSymbols;
  /** Of the watchpoint being judged. */
  access: { readonly address: bigint; readonly value: bigint } = { address: 0n, value: 0n };

  constructor(target: Target, symbols: QemuSymbols) {
    this.#target = target;
    this.#symbols = symbols;
  }

  /** The name of the processor that stopped. */
  get processor(): string {
    return vcpuName(this.#target.thread);
  }

  /** A condition with registers and symbols or, where that means nothing, with variables of the program. */
  compile(source: string): WideReading {
    try {
      return compileWideCondition(source, this);
    } catch (error) {
      const typed = error instanceof MachineError ? this.typed(source) : undefined;
      if (!typed) throw error;
      return whereVisible(typed);
    }
  }

  /** With variables of the program alone; undefined for what they do not make sense of. */
  typed(source: string): WideReading | undefined {
    return compileTyped(source, this.#target, this.#symbols);
  }

  value(name: string): WideReading | undefined {
    const own = this.#own(name.toLowerCase());
    if (own) return own;
    if (this.#target.names.find(name)) return () => this.#target.value(name);
    const symbol = this.#symbols.address(name);
    return symbol === undefined ? undefined : () => symbol;
  }

  /** Symbols are addresses, unless a register goes by the name. */
  constant(name: string): bigint | undefined {
    if (this.#own(name.toLowerCase()) || this.#target.names.find(name)) return undefined;
    return this.#symbols.address(name);
  }

  bits(name: string): number | undefined {
    return this.#own(name.toLowerCase()) ? undefined : this.#target.names.find(name)?.bits;
  }

  peek(address: bigint, bytes: number): Promise<bigint> {
    return this.#target.number(address, bytes);
  }

  async pointer(address: bigint): Promise<bigint> {
    return this.#target.number(address, await this.#target.pointerBytes());
  }

  get names(): readonly string[] {
    const registers = this.#target.description.registers.slice(0, 40).map(({ name }) => name);
    return ['value', 'address', 'vcpu', ...registers];
  }

  #own(name: string): WideReading | undefined {
    if (name === 'value') return () => this.access.value;
    if (name === 'address') return () => this.access.address;
    if (name === 'vcpu') return () => BigInt(this.#target.cpuIndex);
    return undefined;
  }
}
