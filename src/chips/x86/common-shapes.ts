import { CodeSpace, realSpace } from './code-space.ts';
import { Decoder } from './decode.ts';
import { byInstruction, emit, shapeKey } from './emit.ts';
import type { Instruction } from './instruction.ts';
import { type Model, rulesOf } from './models.ts';
import { outcome } from './operations/operation.ts';

const [add, subtract, compare] = [0x00, 0x28, 0x38];

/**
 * Encodings that stand for the shapes worth a case of their own; all others are done by calling their handlers. V8
 * optimises no function of more than 61,440 bytes of bytecode: a loop has to stay well below.
 */
function commonEncodings(isWide: boolean): number[][] {
  const encodings: number[][] = [];
  const withRegister = (opcode: number, modrm: number) => encodings.push([opcode, modrm | 0xc3]);
  const withMemory = (opcode: number, modrm: number) => encodings.push([opcode, modrm | 0x07]);
  const both = (opcode: number, modrm: number) => {
    withRegister(opcode, modrm);
    withMemory(opcode, modrm);
  };
  for (let operation = 0; operation < 64; operation += 8) {
    // Their texts are long there.
    const changes = isWide && ![add, subtract, compare].includes(operation) ? withRegister : both;
    for (const opcode of [operation, operation | 1]) changes(opcode, 0);
    for (const opcode of [operation | 2, operation | 3]) both(opcode, 0);
    encodings.push([operation | 4], [operation | 5]);
    for (const opcode of [0x80, 0x81, 0x83]) changes(opcode, operation);
  }
  for (const opcode of [0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x8b]) both(opcode, 0);
  for (const group of [0, 8]) for (const opcode of [0xfe, 0xff]) both(opcode, group);
  for (const opcode of [0xd0, 0xd1])
    for (const group of [0x00, 0x08, 0x10, 0x18, 0x20, 0x28, 0x38]) encodings.push([opcode, 0xc3 | group]);
  for (const opcode of [0xf6, 0xf7]) for (const group of [0, 0x10, 0x18]) encodings.push([opcode, 0xc3 | group]);
  for (const opcode of [0xc6, 0xc7, 0x8d]) encodings.push([opcode, 0x07]);
  for (let condition = 0x70; condition < 0x80; condition += 1) encodings.push([condition]);
  const single = [0x40, 0x48, 0x50, 0x58, 0x91, 0xb0, 0xb8, 0xa0, 0xa1, 0xa2, 0xa3, 0xa8, 0xa9, 0x90, 0x98, 0x99];
  const others = [
    0xe0, 0xe1, 0xe2, 0xe3, 0xe8, 0xe9, 0xeb, 0xc3, 0xc2, 0xf8, 0xf9, 0xf5, 0xfc, 0xfd, 0x06, 0x1e, 0x07, 0x1f,
  ];
  for (const opcode of [...single, ...others]) encodings.push([opcode]);
  for (const code of [0xd8, 0xc0]) encodings.push([0x8e, code], [0x8c, code]);
  return isWide ? [...encodings, ...wideEncodings()] : encodings;
}

/** What compilers for the 80386 write besides. */
function wideEncodings(): number[][] {
  const encodings = [[0x68], [0x6a], [0xff, 0x37], [0xf6, 0x07], [0xf7, 0x07]];
  for (let condition = 0x80; condition < 0x90; condition += 1) encodings.push([0x0f, condition]);
  for (const opcode of [0xb6, 0xb7, 0xbe, 0xbf]) encodings.push([0x0f, opcode, 0xc3], [0x0f, opcode, 0x07]);
  for (const target of [0x10, 0x20]) encodings.push([0xff, 0xc3 | target], [0xff, 0x07 | target]);
  return encodings;
}

/** Numbers of cases are told apart by the mode they are for: where a loop meets one of another mode it calls the handler. */
const codesOfMode = 1000;

interface ModeShapes {
  readonly codes: ReadonlyMap<string, number>;
  readonly cases: readonly string[];
}

const knownShapes = new Map<Model, CommonShapes>();

/** The shapes the loops handle, with the numbers of their cases and the text of these: for each mode (see `CodeSpace`) when code of it first runs. */
export class CommonShapes {
  readonly #model: Model;
  readonly #modes: ModeShapes[] = [];

  static of(model: Model): CommonShapes {
    const shapes = knownShapes.get(model) ?? new CommonShapes(model);
    knownShapes.set(model, shapes);
    return shapes;
  }

  constructor(model: Model) {
    this.#model = model;
  }

  /** The case of an instruction; 0 when only its handler will do. */
  codeOf(instruction: Instruction): number {
    return this.#mode(instruction.space.mode).codes.get(shapeKey(instruction)) ?? 0;
  }

  casesOf(mode: number): readonly string[] {
    return this.#mode(mode).cases;
  }

  #mode(mode: number): ModeShapes {
    this.#modes[mode] ??= this.#make(mode);
    return this.#modes[mode];
  }

  #make(mode: number): ModeShapes {
    const { generation } = rulesOf(this.#model);
    const space = spaceOf(mode);
    const codes = new Map<string, number>();
    const cases: string[] = [];
    for (const bytes of commonEncodings(space.wide)) {
      const decoder = new Decoder(this.#model, (linear) => bytes[linear] ?? 0);
      const instruction = decoder.decode(0, 0, space);
      const key = shapeKey(instruction);
      if (codes.has(key) || instruction.form.mnemonic === 'invalid') continue;
      const text = emit(instruction, generation, byInstruction);
      if (/\bcall\(/.test(text)) continue;
      const code = mode * codesOfMode + codes.size + 1;
      codes.set(key, code);
      cases.push(`case ${code}: { ${inLoop(text)} }`);
    }
    return { codes, cases };
  }
}

/** Code as it most often is in a mode: of the size that its stack has. */
function spaceOf(mode: number): CodeSpace {
  const all = [false, true].flatMap((isPaged) => [false, true].map((wide) => ({ isPaged, wide })));
  const spaces = all.map(
    ({ isPaged, wide }) =>
      new CodeSpace(1, {
        ...{ segmented: false, base: 0, limit: wide ? 0xffffffff : 0xffff, wide, wideStack: wide },
        ...{ pages: isPaged ? 0 : -1, asUser: false, selector: 0 },
      }),
  );
  return spaces.find((space) => space.mode === mode) ?? realSpace;
}

/** A handler's text as part of the loop. */
function inLoop(text: string): string {
  return text
    .replace(/\bc\.((?:read|write|change)(?:8|16|32)|fault)\(/g, '(K[0] = base + spent + index, c).$1(')
    .replace(/return A\[0\] === 0 \? 0 : 6;/g, `if (A[0] !== 0) code = ${outcome.look}; break S;`)
    .replace(/return 0;/g, 'break S;')
    .replace(/return (\d);/g, '{ code = $1; break S; }');
}
