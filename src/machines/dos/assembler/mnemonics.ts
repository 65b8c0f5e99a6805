import { ownValue } from '../../../formats/own-value.ts';

/** Other names of instructions. */
const synonyms: Readonly<Record<string, string>> = {
  ...conditionSynonyms('j'),
  ...conditionSynonyms('set'),
  loopz: 'loope',
  loopnz: 'loopne',
  retn: 'ret',
  sal: 'shl',
  xlatb: 'xlat',
  fwait: 'wait',
  icebp: 'int1',
};

function conditionSynonyms(stem: string): Record<string, string> {
  const pairs = 'z e,nz ne,c b,nc ae,nae b,nb ae,na be,nbe a,pe p,po np,nge l,nl ge,ng le,nle g';
  return Object.fromEntries(
    pairs.split(',').map((pair) => {
      const [other, name] = pair.split(' ');
      return [stem + other, stem + name];
    }),
  );
}

/** Sizes of code, and of operands. */
export type Bits = 16 | 32;

/** Names of 32 bits, and what they are among the forms. */
const wide: Readonly<Record<string, string>> = {
  cwde: 'cbw',
  cdq: 'cwd',
  pushfd: 'pushf',
  popfd: 'popf',
  pushad: 'pusha',
  popad: 'popa',
  iretd: 'iret',
  retd: 'ret',
  retnd: 'ret',
  retfd: 'retf',
};
/** The same for names of 16 bits; others mean what the code is. */
const narrow: Readonly<Record<string, string>> = {
  cbw: 'cbw',
  cwd: 'cwd',
  pushfw: 'pushf',
  popfw: 'popf',
  pushaw: 'pusha',
  popaw: 'popa',
  iretw: 'iret',
  retw: 'ret',
  retnw: 'ret',
  retfw: 'retf',
};

/** Names that stand for WAIT and another instruction. */
const waiting = new Set(['finit', 'fclex', 'fstcw', 'fstsw', 'fstenv', 'fsave', 'feni', 'fdisi', 'fsetpm']);
const strings = /^(movs|cmps|stos|lods|scas|ins|outs)([bwd])$/;

export interface Mnemonic {
  /** In the table of forms. */
  readonly name: string;
  /** Prefixes that go with the name: 66h, 67h, WAIT. */
  readonly prefixes: readonly number[];
  readonly operandSize: Bits;
  /** Of an operation on strings: the letter that its forms have. */
  readonly string: 'b' | 'v' | undefined;
}

/** What a name means in code of so many bits. */
export function mnemonicOf(text: string, bits: Bits): Mnemonic {
  const lower = text.toLowerCase();
  const plain = { prefixes: [], operandSize: bits, string: undefined } as const;
  const sized = (size: Bits) => ({ prefixes: size === bits ? [] : [0x66], operandSize: size }) as const;
  const long = ownValue(wide, lower);
  if (long !== undefined) return { ...plain, name: long, ...sized(32) };
  const short = ownValue(narrow, lower);
  if (short !== undefined) return { ...plain, name: short, ...sized(16) };
  if (lower === 'jecxz' || lower === 'jcxz') {
    const counter = lower === 'jecxz' ? 32 : 16;
    return { ...plain, name: 'jcxz', prefixes: counter === bits ? [] : [0x67] };
  }
  if (waiting.has(lower)) return { ...plain, name: `fn${lower.slice(1)}`, prefixes: [0x9b] };
  const [, stem, size] = strings.exec(lower) ?? [];
  if (stem === undefined) return { ...plain, name: ownValue(synonyms, lower) ?? lower };
  if (size === 'b') return { ...plain, name: stem, string: 'b' };
  return { ...plain, name: stem, string: 'v', ...sized(size === 'd' ? 32 : 16) };
}
