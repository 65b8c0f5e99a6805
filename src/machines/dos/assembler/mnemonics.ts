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

/** Names that say the size: those of 32 bits stand for the others with a prefix. */
const wide: Readonly<Record<string, string>> = {
  cwde: 'cbw',
  cdq: 'cwd',
  pushfd: 'pushf',
  popfd: 'popf',
  pushad: 'pusha',
  popad: 'popa',
  iretd: 'iret',
};

/** Names that stand for WAIT and another instruction. */
const waiting = new Set(['finit', 'fclex', 'fstcw', 'fstsw', 'fstenv', 'fsave', 'feni', 'fdisi', 'fsetpm']);
const strings = /^(movs|cmps|stos|lods|scas|ins|outs)([bwd])$/;

export interface Mnemonic {
  /** In the table of forms. */
  readonly name: string;
  /** Prefixes that go with the name: 66h, 67h, WAIT. */
  readonly prefixes: readonly number[];
  readonly operandSize: 16 | 32;
  /** Of an operation on strings: the letter that its forms have. */
  readonly string: 'b' | 'v' | undefined;
}

export function mnemonicOf(text: string): Mnemonic {
  const lower = text.toLowerCase();
  const plain = { prefixes: [], operandSize: 16, string: undefined } as const;
  const narrow = wide[lower];
  if (narrow !== undefined) return { ...plain, name: narrow, prefixes: [0x66], operandSize: 32 };
  if (lower === 'jecxz') return { ...plain, name: 'jcxz', prefixes: [0x67] };
  if (waiting.has(lower)) return { ...plain, name: `fn${lower.slice(1)}`, prefixes: [0x9b] };
  const [, stem, size] = strings.exec(lower) ?? [];
  if (stem === undefined) return { ...plain, name: synonyms[lower] ?? lower };
  if (size === 'b') return { ...plain, name: stem, string: 'b' };
  return { ...plain, name: stem, string: 'v', ...(size === 'd' && { prefixes: [0x66], operandSize: 32 }) };
}
