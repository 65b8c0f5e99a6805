import { type CoprocessorModel, coprocessorModels } from './models.ts';

/** One way to write an instruction: `F` is the top of the stack, `Fi` any register; M is memory, sized by its letter. */
export interface NumericForm {
  /** `d9/5` for memory, `d9e8` for registers. */
  readonly opcode: string;
  readonly mnemonic: string;
  readonly operands: readonly string[];
}

const arithmetic = ['add', 'mul', 'com', 'comp', 'sub', 'subr', 'div', 'divr'];
/** The same by opcode where the result goes to another register than the top. */
const towards = ['add', 'mul', 'com', 'comp', 'subr', 'sub', 'divr', 'div'];

const memory: readonly string[] = [
  ...arithmetic.flatMap((name, index) => [
    `d8/${index} f${name} Md`,
    `da/${index} fi${name} Md`,
    `dc/${index} f${name} Mq`,
    `de/${index} fi${name} Mw`,
  ]),
  ...rows(`
    d9/0 fld Md | d9/2 fst Md | d9/3 fstp Md | d9/4 fldenv Me | d9/5 fldcw Mw | d9/6 fnstenv Me | d9/7 fnstcw Mw
    db/0 fild Md | db/2 fist Md | db/3 fistp Md | db/5 fld Mt | db/7 fstp Mt
    dd/0 fld Mq | dd/2 fst Mq | dd/3 fstp Mq | dd/4 frstor Mz | dd/6 fnsave Mz | dd/7 fnstsw Mw
    df/0 fild Mw | df/2 fist Mw | df/3 fistp Mw | df/4 fbld Mt | df/5 fild Mq | df/6 fbstp Mt | df/7 fistp Mq`),
];

const registers: readonly string[] = [
  ...arithmetic.map((name, index) => `d8${hex(0xc0 + index * 8)} f${name} ${name.startsWith('com') ? 'Fi' : 'F,Fi'}`),
  ...towards.map((name, index) => `dc${hex(0xc0 + index * 8)} f${name} ${name.startsWith('com') ? 'Fi' : 'Fi,F'}`),
  ...towards.map((name, index) =>
    name.startsWith('com') ? `de${hex(0xc0 + index * 8)} fcomp Fi` : `de${hex(0xc0 + index * 8)} f${name}p Fi,F`,
  ),
  ...rows(`
    d9c0 fld Fi | d9c8 fxch Fi | d9d8 fstp Fi | ddc0 ffree Fi | ddc8 fxch Fi | ddd0 fst Fi | ddd8 fstp Fi
    dfc0 ffreep Fi | dfc8 fxch Fi | dfd0 fstp Fi | dfd8 fstp Fi
    d9d0 fnop | d9e0 fchs | d9e1 fabs | d9e4 ftst | d9e5 fxam | ded9 fcompp
    d9e8 fld1 | d9e9 fldl2t | d9ea fldl2e | d9eb fldpi | d9ec fldlg2 | d9ed fldln2 | d9ee fldz
    d9f0 f2xm1 | d9f1 fyl2x | d9f2 fptan | d9f3 fpatan | d9f4 fxtract | d9f6 fdecstp | d9f7 fincstp
    d9f8 fprem | d9f9 fyl2xp1 | d9fa fsqrt | d9fc frndint | d9fd fscale
    dbe0 fneni | dbe1 fndisi | dbe2 fnclex | dbe3 fninit`),
];

const since80287 = rows('dbe4 fnsetpm | dfe0 fnstsw AX');

const since80387 = rows(`
    d9f5 fprem1 | d9fb fsincos | d9fe fsin | d9ff fcos | dae9 fucompp | dde0 fucom Fi | dde8 fucomp Fi`);

/** The instructions of a model. Register forms with `Fi` stand for eight of them. */
export function numericForms(model: CoprocessorModel): readonly NumericForm[] {
  const age = coprocessorModels.indexOf(model);
  // `fcompp` is one of the eight forms of an older `fcomp`: what is named last holds.
  const all = [...memory, ...registers, ...(age > 0 ? since80287 : []), ...(age > 1 ? since80387 : [])];
  return all.map((row) => {
    const [opcode = '', mnemonic = '', operands = ''] = row.split(' ');
    return { opcode, mnemonic, operands: operands === '' ? [] : operands.split(',') };
  });
}

/** Where a form stands in the table of an escape's 8 memory and 64 register forms; several places for `Fi`. */
export function placesOf({ opcode, operands }: NumericForm): { readonly opcode: number; readonly places: number[] } {
  const first = Number.parseInt(opcode.slice(0, 2), 16);
  const group = opcode.split('/')[1];
  if (group !== undefined) return { opcode: first, places: [Number(group)] };
  const place = 8 + Number.parseInt(opcode.slice(2), 16) - 0xc0;
  const count = operands.includes('Fi') ? 8 : 1;
  return { opcode: first, places: Array.from({ length: count }, (_, index) => place + index) };
}

function rows(text: string): string[] {
  return text
    .split(/[|\n]/)
    .map((row) => row.trim())
    .filter((row) => row !== '');
}

function hex(value: number): string {
  return value.toString(16);
}
