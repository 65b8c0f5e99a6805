import { numericForms, placesOf } from '../x87/forms.ts';
import { coprocessorOf, type Model, models } from './models.ts';

/**
 * Every instruction form, in the notation of opcode maps. A row is an opcode (`/n` selects by the reg field of the
 * ModRM byte), a mnemonic and its operands. Operands: E = register or memory of ModRM, G = register of ModRM, S = segment
 * register of ModRM, I = immediate, O = memory at an absolute offset, J = relative target, A = far pointer,
 * M = memory only, Z = register in the opcode, X and Y = memory at (E)SI and (E)DI; b, w, d = 8, 16, 32 bits, v = the
 * operand size, s = a byte extended to the operand size. M alone is an address, Mp a far pointer, Ms a descriptor table.
 */
const arithmetic = ['add', 'or', 'adc', 'sbb', 'and', 'sub', 'xor', 'cmp'];
const shifts = ['rol', 'ror', 'rcl', 'rcr', 'shl', 'shr', 'sal', 'sar'];
const conditions = ['o', 'no', 'b', 'ae', 'e', 'ne', 'be', 'a', 's', 'ns', 'p', 'np', 'l', 'ge', 'le', 'g'];

const every: readonly string[] = [
  ...arithmetic.flatMap((name, index) =>
    ['Eb,Gb', 'Ev,Gv', 'Gb,Eb', 'Gv,Ev', 'AL,Ib', 'eAX,Iv'].map(
      (operands, k) => `${hex(index * 8 + k)} ${name} ${operands}`,
    ),
  ),
  ...arithmetic.flatMap((name, index) =>
    ['80 Eb,Ib', '81 Ev,Iv', '82 Eb,Ib', '83 Ev,Is'].map((row) => row.replace(' ', `/${index} ${name} `)),
  ),
  ...rows('06 push es | 07 pop es | 0e push cs | 16 push ss | 17 pop ss | 1e push ds | 1f pop ds'),
  ...conditions.map((name, index) => `${hex(0x70 + index)} j${name} Jb`),
  ...['inc', 'dec', 'push', 'pop'].flatMap((name, index) =>
    registers(0x40 + index * 8, (opcode) => `${opcode} ${name} Zv`),
  ),
  ...registers(0x91, (opcode) => `${opcode} xchg eAX,Zv`).slice(0, 7),
  ...registers(0xb0, (opcode) => `${opcode} mov Zb,Ib`),
  ...registers(0xb8, (opcode) => `${opcode} mov Zv,Iv`),
  ...shifts.flatMap((name, index) =>
    ['d0 Eb,1', 'd1 Ev,1', 'd2 Eb,CL', 'd3 Ev,CL'].map((row) => row.replace(' ', `/${index} ${name} `)),
  ),
  ...rows(`
    27 daa | 2f das | 37 aaa | 3f aas
    84 test Eb,Gb | 85 test Ev,Gv | 86 xchg Eb,Gb | 87 xchg Ev,Gv
    88 mov Eb,Gb | 89 mov Ev,Gv | 8a mov Gb,Eb | 8b mov Gv,Ev | 8c mov Ev,Sw | 8d lea Gv,M | 8e mov Sw,Ew | 8f/0 pop Ev
    90 nop | 98 cbw | 99 cwd | 9a callf Ap | 9b wait | 9c pushf | 9d popf | 9e sahf | 9f lahf
    a0 mov AL,Ob | a1 mov eAX,Ov | a2 mov Ob,AL | a3 mov Ov,eAX
    a4 movs Yb,Xb | a5 movs Yv,Xv | a6 cmps Xb,Yb | a7 cmps Xv,Yv | a8 test AL,Ib | a9 test eAX,Iv
    aa stos Yb | ab stos Yv | ac lods Xb | ad lods Xv | ae scas Yb | af scas Yv
    c2 ret Iw | c3 ret | c4 les Gv,Mp | c5 lds Gv,Mp | c6/0 mov Eb,Ib | c7/0 mov Ev,Iv
    ca retf Iw | cb retf | cc int3 | cd int Ib | ce into | cf iret
    d4 aam Ib | d5 aad Ib | d6 salc | d7 xlat
    e0 loopne Jb | e1 loope Jb | e2 loop Jb | e3 jcxz Jb | e4 in AL,Ib | e5 in eAX,Ib | e6 out Ib,AL | e7 out Ib,eAX
    e8 call Jv | e9 jmp Jv | ea jmpf Ap | eb jmp Jb | ec in AL,DX | ed in eAX,DX | ee out DX,AL | ef out DX,eAX
    f4 hlt | f5 cmc | f8 clc | f9 stc | fa cli | fb sti | fc cld | fd std
    f6/0 test Eb,Ib | f6/1 test Eb,Ib | f6/2 not Eb | f6/3 neg Eb | f6/4 mul Eb | f6/5 imul Eb | f6/6 div Eb | f6/7 idiv Eb
    f7/0 test Ev,Iv | f7/1 test Ev,Iv | f7/2 not Ev | f7/3 neg Ev | f7/4 mul Ev | f7/5 imul Ev | f7/6 div Ev | f7/7 idiv Ev
    fe/0 inc Eb | fe/1 dec Eb | fe/7 callback Iw
    ff/0 inc Ev | ff/1 dec Ev | ff/2 call Ev | ff/3 callf Mp | ff/4 jmp Ev | ff/5 jmpf Mp | ff/6 push Ev`),
];

/** What an 8086 makes of encodings that later models refuse or use otherwise. */
const only8086: readonly string[] = [
  ...conditions.map((name, index) => `${hex(0x60 + index)} j${name} Jb`),
  ...[1, 2, 3, 4, 5, 6, 7].flatMap((n) => [`8f/${n} pop Ev`, `c6/${n} mov Eb,Ib`, `c7/${n} mov Ev,Iv`]),
  ...rows(`
    0f pop cs | c0 ret Iw | c1 ret | c8 retf Iw | c9 retf | ff/7 push Ev
    d0/6 setmo Eb,1 | d1/6 setmo Ev,1 | d2/6 setmo Eb,CL | d3/6 setmo Ev,CL`),
];

const since80186: readonly string[] = [
  ...shifts.flatMap((name, index) => [`c0/${index} ${name} Eb,Ib`, `c1/${index} ${name} Ev,Ib`]),
  ...rows(`
    60 pusha | 61 popa | 62 bound Gv,Ma | 68 push Iv | 69 imul Gv,Ev,Iv | 6a push Is | 6b imul Gv,Ev,Is
    6c ins Yb,DX | 6d ins Yv,DX | 6e outs DX,Xb | 6f outs DX,Xv | c8 enter Iw,Ib | c9 leave | f1 int1`),
];

const since80286: readonly string[] = rows(`
    0f01/0 sgdt Ms | 0f01/1 sidt Ms | 0f01/2 lgdt Ms | 0f01/3 lidt Ms | 0f01/4 smsw Ew | 0f01/6 lmsw Ew | 0f06 clts`);

const sinceProtection: readonly string[] = rows(`
    0f00/0 sldt En | 0f00/1 str En | 0f00/2 lldt Ew | 0f00/3 ltr Ew | 0f00/4 verr Ew | 0f00/5 verw Ew
    0f02 lar Gv,Ew | 0f03 lsl Gv,Ew | 63 arpl Ew,Gw`);

const since486: readonly string[] = [
  ...registers(0xfc8, (opcode) => `${opcode} bswap Zv`),
  ...rows(`
    0f01/7 invlpg M | 0f08 invd | 0f09 wbinvd
    0fb0 cmpxchg Eb,Gb | 0fb1 cmpxchg Ev,Gv | 0fc0 xadd Eb,Gb | 0fc1 xadd Ev,Gv`),
];

const since80386: readonly string[] = [
  ...conditions.flatMap((name, index) => [`${hex(0xf80 + index)} j${name} Jv`, `${hex(0xf90 + index)} set${name} Eb`]),
  ...rows(`
    0f01/4 smsw En
    0f20 mov Rd,Cd | 0f21 mov Rd,Dd | 0f22 mov Cd,Rd | 0f23 mov Dd,Rd | 0f24 mov Rd,Td | 0f26 mov Td,Rd
    0fa0 push fs | 0fa1 pop fs | 0fa3 bt Ev,Gv | 0fa4 shld Ev,Gv,Ib | 0fa5 shld Ev,Gv,CL
    0fa8 push gs | 0fa9 pop gs | 0fab bts Ev,Gv | 0fac shrd Ev,Gv,Ib | 0fad shrd Ev,Gv,CL | 0faf imul Gv,Ev
    0fb2 lss Gv,Mp | 0fb3 btr Ev,Gv | 0fb4 lfs Gv,Mp | 0fb5 lgs Gv,Mp | 0fb6 movzx Gv,Eb | 0fb7 movzx Gv,Ew
    0fba/4 bt Ev,Ib | 0fba/5 bts Ev,Ib | 0fba/6 btr Ev,Ib | 0fba/7 btc Ev,Ib | 0fbb btc Ev,Gv
    0fbc bsf Gv,Ev | 0fbd bsr Gv,Ev | 0fbe movsx Gv,Eb | 0fbf movsx Gv,Ew`),
];

/** One row of the table. */
export interface Form {
  /** `80/0`, `0faf`: opcode and, for groups, the reg field. */
  readonly opcode: string;
  readonly mnemonic: string;
  readonly operands: readonly string[];
}

/**
 * What a model makes of opcodes: a form, or the eight forms of a group; for escapes to the coprocessor these and 64 more,
 * by the lower bits of a ModRM byte that names no memory. Two-byte opcodes are 0F00 and up.
 */
export type OpcodeMap = ReadonlyMap<number, Form | readonly (Form | undefined)[]>;

const maps = new Map<Model, OpcodeMap>();

/** The opcode map of a model. */
export function opcodeMapOf(model: Model): OpcodeMap {
  const known = maps.get(model);
  if (known) return known;
  const generation = models.indexOf(model);
  const sets = [
    every,
    generation === 0 ? only8086 : since80186,
    generation >= 2 ? since80286 : [],
    generation >= 3 ? since80386 : [],
    generation >= 3 ? sinceProtection : [],
    generation >= 4 ? since486 : [],
  ];
  const map = new Map<number, Form | (Form | undefined)[]>();
  for (const row of sets.flat()) place(map, row);
  placeEscapes(map, model);
  maps.set(model, map);
  return map;
}

function place(map: Map<number, Form | (Form | undefined)[]>, row: string): void {
  const [code = '', mnemonic = '', operands = ''] = row.split(' ');
  const [opcode = '', group] = code.split('/');
  const form: Form = { opcode: code, mnemonic, operands: operands ? operands.split(',') : [] };
  const number = Number.parseInt(opcode, 16);
  if (group === undefined) {
    map.set(number, form);
    return;
  }
  const entry = map.get(number);
  const forms = Array.isArray(entry) ? entry : new Array<Form | undefined>(8).fill(undefined);
  forms[Number(group)] = form;
  map.set(number, forms);
}

/** The coprocessor's instructions; what is none passes it by. */
function placeEscapes(map: Map<number, Form | (Form | undefined)[]>, model: Model): void {
  for (let opcode = 0xd8; opcode <= 0xdf; opcode += 1) {
    map.set(opcode, new Array<Form>(72).fill({ opcode: hex(opcode), mnemonic: 'esc', operands: ['Ew'] }));
  }
  for (const form of numericForms(coprocessorOf(model))) {
    const { opcode, places } = placesOf(form);
    for (const index of places) (map.get(opcode) as Form[])[index] = form;
  }
}

function rows(text: string): string[] {
  return text
    .split(/[|\n]/)
    .map((row) => row.trim())
    .filter((row) => row !== '');
}

function registers(first: number, row: (opcode: string) => string): string[] {
  return Array.from({ length: 8 }, (_, index) => row(hex(first + index)));
}

function hex(value: number): string {
  return value.toString(16).padStart(value > 0xff ? 4 : 2, '0');
}
