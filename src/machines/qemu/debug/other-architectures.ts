import type { Architecture } from './architecture.ts';

type Other = Pick<Architecture, 'sp' | 'call' | 'return'> & Partial<Architecture>;

const common = { pc: ['pc', 'npc'], bigEndian: false, stopsBeforeAccess: false } as const;

/** Families beside those with a file of guests of their own, each by what its names begin with. */
const others: readonly (readonly [name: RegExp, family: Other])[] = [
  [/^alpha/, { sp: ['sp'], link: ['ra'], call: /^[bj]sr\b/, return: /^ret\b/ }],
  [/^avr/, { sp: ['sp'], call: /^(?:r|i|ei)?call\b/i, return: /^reti?\b/i }],
  [/^cris/, { sp: ['r14'], call: /^[bj]s[rc]\b/, return: /^ret[enb]?\b/ }],
  [
    /^hppa/,
    {
      pc: ['pcoqh'],
      nextPc: 'pcoqt',
      sp: ['r30'],
      link: ['r2'],
      bigEndian: true,
      delaySlotBytes: 4,
      call: /^(?:b,l|be,l|blr|bve,l)\b/,
      return: /^(?:bv\s.*\br(?:p|2)\b|bve\s|rfi)/,
    },
  ],
  [
    /^loongarch/,
    {
      sp: ['r3', 'sp'],
      link: ['r1', 'ra'],
      stopsBeforeAccess: true,
      call: /^(?:bl\b|jirl\s+\$?(?:r1|ra)\b)/,
      return: /^(?:jirl\s+\$?(?:r0|zero),\s*\$?(?:r1|ra)\b|ertn\b)/,
    },
  ],
  [/^m68k/, { sp: ['sp', 'a7'], bigEndian: true, call: /^[bj]sr/, return: /^rt[dermrs]\b/ }],
  [/^microblaze/, { sp: ['r1'], link: ['r15'], delaySlotBytes: 4, call: /^br(?:al|l)i?d?\b/, return: /^rt[sbie]d\b/ }],
  [
    /^mips/,
    {
      sp: ['sp'],
      link: ['ra'],
      stopsBeforeAccess: true,
      delaySlotBytes: 4,
      call: /^(?:jalr?s?|bal|b[lg][te]zall?)\b/,
      return: /^(?:jr\s+\$?(?:ra|31)\b|d?eret\b)/,
    },
  ],
  [/^nios2/, { sp: ['sp'], link: ['ra'], stopsBeforeAccess: true, call: /^callr?\b/, return: /^[eb]?ret\b/ }],
  [
    /^or1k/,
    {
      sp: ['r1'],
      link: ['r9'],
      bigEndian: true,
      delaySlotBytes: 4,
      call: /^l\.jalr?\b/,
      return: /^l\.(?:jr\s+r9|rfe)\b/,
    },
  ],
  [
    /^ppc/,
    {
      sp: ['r1'],
      link: ['lr'],
      bigEndian: true,
      call: /^b(?:c|[a-z]{2})?(?:ctr|lr)?la?[+-]?(?:\s|$)/,
      return: /^(?:b[a-z]*lr[+-]?(?:\s|$)|h?rfi?)/,
    },
  ],
  [/^rx/, { sp: ['r0'], stopsBeforeAccess: true, call: /^[bj]sr\b/, return: /^rt(?:sd?|e|fi)\b/ }],
  [
    /^s390x/,
    {
      pc: ['pswa'],
      sp: ['r15'],
      link: ['r14'],
      bigEndian: true,
      call: /^(?:bra?sl?|basr?|bassm)\s+%?r14\b/,
      return: /^(?:br\s+%?r14\b|lpswe?\b)/,
    },
  ],
  [/^sh4/, { sp: ['r15'], link: ['pr'], delaySlotBytes: 2, call: /^(?:jsr|bsrf?)\b/, return: /^rt[se]\b/ }],
  [
    /^sparc/,
    {
      sp: ['sp', 'o6'],
      nextPc: 'npc',
      link: ['o7'],
      bigEndian: true,
      delaySlotBytes: 4,
      call: /^(?:call\b|jmpl\s.*%o7)/,
      return: /^(?:retl?\b|return\b|rett\b|jmp\s+%[io]7\s*\+)/,
    },
  ],
  [/^tricore/, { sp: ['a10'], link: ['a11'], stopsBeforeAccess: true, call: /^f?call/, return: /^(?:f?ret|rfe)/ }],
  [/^xtensa/, { sp: ['a1'], link: ['a0'], stopsBeforeAccess: true, call: /^call/, return: /^(?:ret|rf)/ }],
];

/** Of families that there are in both orders of bytes. */
const bigEndianTwins = /eb$|^microblaze$|^mips(?:64)?$/;

/** By the name after `qemu-system-`. */
export function otherArchitecture(name: string): Architecture {
  const [, family] = others.find(([pattern]) => pattern.test(name)) ?? [];
  const known: Other = family ?? { sp: ['sp'], call: /^(?:call|bl|jsr|bsr)\b/, return: /^(?:ret|rts)\b/ };
  const bigEndian = bigEndianTwins.test(name) || (known.bigEndian ?? false);
  return { ...common, ...known, bigEndian };
}
