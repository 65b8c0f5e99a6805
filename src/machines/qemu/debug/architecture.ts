import { otherArchitecture } from './other-architectures.ts';

/** What the debugger must know of a processor family beyond what the target describes. */
export interface Architecture {
  /** Names as the target may spell them; the first it has is meant. */
  readonly pc: readonly string[];
  readonly sp: readonly string[];
  /** A register with the address of the instruction after the next, which goes along when the program counter is set. */
  readonly nextPc?: string;
  readonly link?: readonly string[];
  readonly bigEndian: boolean;
  /** Watchpoints stop in front of the access instead of after it, and again and again. */
  readonly stopsBeforeAccess: boolean;
  /** The instruction after a call runs before what is called, and the return leads after it. */
  readonly delaySlotBytes?: number;
  /** Instructions, as the disassembler writes them, that call and that return. */
  readonly call: RegExp;
  readonly return: RegExp;
}

const armCondition = '(?:eq|ne|[ch]s|cc|lo|mi|pl|v[sc]|hi|ls|ge|lt|gt|le|al)?(?:\\.[nw])?';

const x86: Architecture = {
  pc: ['rip', 'eip'],
  sp: ['rsp', 'esp'],
  bigEndian: false,
  stopsBeforeAccess: false,
  call: /^l?call[bwlq]?\b/,
  return: /^(?:l?ret|lret|iret|sysret|sysexit)[a-z]*\b/,
};

const families: Readonly<Record<string, Architecture>> = {
  x86_64: x86,
  i386: x86,
  aarch64: {
    pc: ['pc'],
    sp: ['sp'],
    link: ['x30', 'lr'],
    bigEndian: false,
    stopsBeforeAccess: true,
    call: /^blr?(?:a[ab]z?)?\s/,
    return: /^(?:e?ret(?:a[ab])?\b|br\s+(?:x30|lr)\b)/,
  },
  arm: {
    pc: ['pc'],
    sp: ['sp'],
    link: ['lr'],
    bigEndian: false,
    stopsBeforeAccess: true,
    call: new RegExp(`^blx?${armCondition}\\s`),
    return: new RegExp(
      `^(?:bx${armCondition}\\s+lr|(?:pop|ldm)[a-z.]*\\s.*\\bpc\\b|mov[a-z.]*\\s+pc, lr|subs\\s+pc, lr)`,
    ),
  },
  riscv: {
    pc: ['pc'],
    sp: ['sp'],
    link: ['ra'],
    bigEndian: false,
    stopsBeforeAccess: true,
    call: /^(?:c\.)?(?:jalr?\s+(?:ra|t0)\b|jalr\s+\w+$|jal\s+-?\d+|call\b)/,
    return: /^(?:[msu]?ret\b|c\.jr\s+ra|jr\s+ra|jalr\s+zero,\s*(?:0\()?ra)/,
  },
};

/** By the name after `qemu-system-`. */
export function architectureOf(name: string): Architecture {
  return families[name.startsWith('riscv') ? 'riscv' : name] ?? otherArchitecture(name);
}
