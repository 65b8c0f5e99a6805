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
