import { lowerHex } from '../../../formats/hex.ts';
import type { TargetRegister } from '../../../links/gdb/target-description.ts';
import type { Chip, ChipPart, ChipReading } from '../../../machine/chips.ts';
import type { Register } from '../../../machine/cpu.ts';
import type { QemuCpu } from './qemu-cpu.ts';

const perLine = 4;
/** The registers of SVE have 2048, nearly all of them 0. */
const maxPaddedBits = 128;
const floatNames = /fpu|float|vfp|neon|fpr|sse|avx|vector|altivec|vsx|\bvx|msa|lsx|lasx/i;

const descriptions: Readonly<Record<string, string>> = {
  registers: 'the general registers',
  float: 'floating point and vectors',
  system: 'control and system registers',
};

/** All that the processor in question has beside its general registers; each can be written by registers_write. */
export class ProcessorChip implements Chip {
  readonly name = 'cpu';
  readonly description: string;
  readonly parts: readonly ChipPart[];
  readonly #cpu: QemuCpu;

  constructor(cpu: QemuCpu) {
    this.#cpu = cpu;
    this.description = `registers of ${cpu.name}`;
    const core = cpu.described[0]?.feature;
    const present = {
      registers: true,
      float: cpu.described.some(isFloat),
      system: cpu.described.some((register) => !isFloat(register) && register.feature !== core),
    };
    this.parts = Object.entries(descriptions)
      .filter(([name]) => Reflect.get(present, name) === true)
      .map(([name, description]) => ({ name, description, count: 1, hasPicture: false }));
  }

  async read(part: string): Promise<ChipReading> {
    const registers = await this.#registers(part);
    const words = registers.map(({ name, value, bits }) => {
      return `${name}=${lowerHex(value, Math.min(bits, maxPaddedBits) / 4)}`;
    });
    const lines = Array.from({ length: Math.ceil(words.length / perLine) }, (_, n) =>
      words.slice(n * perLine, (n + 1) * perLine).join(' '),
    );
    return { lines, values: Object.fromEntries(registers.map(({ name, value }) => [name, `0x${value.toString(16)}`])) };
  }

  async #registers(part: string): Promise<readonly Register[]> {
    if (part === 'float') return this.#cpu.read(this.#cpu.described.filter(isFloat));
    const general = await this.#cpu.registers();
    if (part === 'registers') return general;
    const shown = new Set(general.map(({ name }) => name));
    return this.#cpu.read(this.#cpu.described.filter((each) => !isFloat(each) && !shown.has(each.name)));
  }
}

function isFloat({ bits, feature, group }: TargetRegister): boolean {
  return bits > 64 || floatNames.test(`${feature} ${group}`);
}
