import type { RegisterFile } from './register-file.ts';
import type { RegisterNames } from './register-names.ts';

export interface X86Segments {
  readonly code: { readonly base: bigint; readonly bits: 16 | 32 | 64 };
  readonly stack: { readonly base: bigint };
}

/** From `info registers`: `CS =f000 000f0000 0000ffff 00009b00 DPL=0 CS16 [-RA]`. */
export function parseSegments(text: string, cs: bigint, ss: bigint): X86Segments {
  const code = /^CS\s*=[0-9a-f]{1,4} ([0-9a-f]{8,16}) [0-9a-f]{8} [0-9a-f]{8}(?: DPL=\d CS(16|32|64))?/m.exec(text);
  const stack = /^SS\s*=[0-9a-f]{1,4} ([0-9a-f]{8,16}) /m.exec(text);
  const bits = code?.[2] === '64' ? 64 : code?.[2] === '32' ? 32 : 16;
  return {
    code: { base: code ? BigInt(`0x${code[1]}`) : cs << 4n, bits },
    stack: { base: stack ? BigInt(`0x${stack[1]}`) : ss << 4n },
  };
}

interface Seen {
  readonly thread: string;
  readonly marks: readonly (bigint | undefined)[];
  readonly segments: X86Segments;
}

/** The segments of last time, good as long as the registers say that they are the same. */
export class SegmentCache {
  readonly #numbers: readonly number[];
  #seen: Seen | undefined;

  constructor(names: RegisterNames) {
    this.#numbers = ['cs', 'ss', 'cr0', 'efer'].map((name) => names.find(name)?.register.number ?? -1);
  }

  find(thread: string, registers: RegisterFile): X86Segments | undefined {
    const seen = this.#seen;
    if (seen?.thread !== thread) return undefined;
    const same = this.#numbers.every((number, index) => registers.get(number) === seen.marks[index]);
    return same ? seen.segments : undefined;
  }

  keep(thread: string, registers: RegisterFile, segments: X86Segments): void {
    const marks = this.#numbers.map((number) => registers.get(number));
    const [cs, , cr0] = marks;
    // From reset to the first far jump the base is another one than the selector says.
    const settled = cr0 !== undefined && ((cr0 & 1n) === 1n || cs !== 0xf000n);
    this.#seen = settled ? { thread, marks, segments } : undefined;
  }
}
