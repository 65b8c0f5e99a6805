/** Figures of the Itanium C++ ABI, chapter 5.1. */
export const builtinTypes: Readonly<Record<string, string>> = {
  v: 'void',
  w: 'wchar_t',
  b: 'bool',
  c: 'char',
  a: 'signed char',
  h: 'unsigned char',
  s: 'short',
  t: 'unsigned short',
  i: 'int',
  j: 'unsigned int',
  l: 'long',
  m: 'unsigned long',
  x: 'long long',
  y: 'unsigned long long',
  n: '__int128',
  o: 'unsigned __int128',
  f: 'float',
  d: 'double',
  e: 'long double',
  g: '__float128',
  z: '...',
};

/** After a `D`. */
export const moreBuiltinTypes: Readonly<Record<string, string>> = {
  d: 'decimal64',
  e: 'decimal128',
  f: 'decimal32',
  h: 'half',
  i: 'char32_t',
  s: 'char16_t',
  u: 'char8_t',
  a: 'auto',
  c: 'decltype(auto)',
  n: 'decltype(nullptr)',
};

/** What follows a number that is written in a name, as in source. */
export const literalSuffixes: Readonly<Record<string, string>> = { j: 'u', l: 'l', m: 'ul', x: 'll', y: 'ull' };

interface Operator {
  readonly sign: string;
  /** Of the expression; 0 where that is written in another way. */
  readonly operands: 0 | 1 | 2;
}

const unary = (sign: string): Operator => ({ sign, operands: 1 });
const binary = (sign: string): Operator => ({ sign, operands: 2 });
const other = (sign: string): Operator => ({ sign, operands: 0 });

export const operators: Readonly<Record<string, Operator>> = {
  nw: other(' new'),
  na: other(' new[]'),
  dl: other(' delete'),
  da: other(' delete[]'),
  aw: other(' co_await'),
  ps: unary('+'),
  ng: unary('-'),
  ad: unary('&'),
  de: unary('*'),
  co: unary('~'),
  nt: unary('!'),
  pp: unary('++'),
  mm: unary('--'),
  pl: binary('+'),
  mi: binary('-'),
  ml: binary('*'),
  dv: binary('/'),
  rm: binary('%'),
  an: binary('&'),
  or: binary('|'),
  eo: binary('^'),
  aS: binary('='),
  pL: binary('+='),
  mI: binary('-='),
  mL: binary('*='),
  dV: binary('/='),
  rM: binary('%='),
  aN: binary('&='),
  oR: binary('|='),
  eO: binary('^='),
  ls: binary('<<'),
  rs: binary('>>'),
  lS: binary('<<='),
  rS: binary('>>='),
  eq: binary('=='),
  ne: binary('!='),
  lt: binary('<'),
  gt: binary('>'),
  le: binary('<='),
  ge: binary('>='),
  ss: binary('<=>'),
  aa: binary('&&'),
  oo: binary('||'),
  cm: binary(','),
  pm: binary('->*'),
  pt: other('->'),
  cl: other('()'),
  ix: other('[]'),
};

interface Abbreviation {
  readonly text: string;
  readonly base: string;
  /** As it is called where its constructor is meant. */
  readonly whole?: string;
}

const stream = (name: string): Abbreviation => ({
  text: `std::${name}`,
  base: `basic_${name}`,
  whole: `std::basic_${name}<char, std::char_traits<char> >`,
});

/** After an `S`. */
export const abbreviations: Readonly<Record<string, Abbreviation>> = {
  a: { text: 'std::allocator', base: 'allocator' },
  b: { text: 'std::basic_string', base: 'basic_string' },
  s: {
    text: 'std::string',
    base: 'basic_string',
    whole: 'std::basic_string<char, std::char_traits<char>, std::allocator<char> >',
  },
  i: stream('istream'),
  o: stream('ostream'),
  d: stream('iostream'),
};

/** What a compiler made beside the functions and variables of the source; a type or a name follows. */
export const specialNames: Readonly<Record<string, { readonly words: string; readonly of: 'type' | 'encoding' }>> = {
  TV: { words: 'vtable for', of: 'type' },
  TT: { words: 'VTT for', of: 'type' },
  TI: { words: 'typeinfo for', of: 'type' },
  TS: { words: 'typeinfo name for', of: 'type' },
  TF: { words: 'typeinfo fn for', of: 'type' },
  TW: { words: 'TLS wrapper function for', of: 'encoding' },
  TH: { words: 'TLS init function for', of: 'encoding' },
  GV: { words: 'guard variable for', of: 'encoding' },
  GA: { words: 'hidden alias for', of: 'encoding' },
};
