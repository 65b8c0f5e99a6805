/** What the debugger must know of a processor family beyond what the target describes. */
export interface Architecture {
  /** Names as the target may spell them; the first it has is meant. */
  readonly pc: readonly string[];
  readonly sp: readonly string[];
  readonly link?: readonly string[];
  readonly bigEndian: boolean;
  /** Watchpoints stop in front of the access instead of behind it, and again and again. */
  readonly stopsBeforeAccess: boolean;
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

const bigEndianNames = /^(?:hppa|m68k|microblaze|mips|mips64|or1k|ppc|ppc64|s390x|sh4eb|sparc|sparc64|xtensaeb)$/;
const stopsBeforeNames = /^(?:loongarch|mips|nios2|rx|tricore|xtensa)/;

/** By the name behind `qemu-system-`. */
export function architectureOf(name: string): Architecture {
  const known = families[name.startsWith('riscv') ? 'riscv' : name];
  return (
    known ?? {
      pc: ['pc', 'npc', 'ip'],
      sp: ['sp', 'r1', 'r15', 'o6'],
      bigEndian: bigEndianNames.test(name),
      stopsBeforeAccess: stopsBeforeNames.test(name),
      call: /^(?:[lb]?call|blx?|bctrl|jalr?|jsr|bsr|brasl?|bras|jli)\b/,
      return: /^(?:ret|rts|rte|blr|jr\s+\$?ra|br\s+%?r14)/,
    }
  );
}
