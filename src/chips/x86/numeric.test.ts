import { describe, expect, test, vi } from 'vitest';
import { stateWords } from '../x87/fields.ts';
import { quick } from '../x87/quick.ts';
import { X87 } from '../x87/x87.ts';
import { Decoder } from './decode.ts';
import { disassemble } from './disassemble.ts';
import { effectsOf } from './effects.ts';
import { coprocessorOf, type Model } from './models.ts';
import { type Bench, bytesOf, codeSegment, makeBench, setVector, start } from './x86-testing.ts';

/** Code with a coprocessor beside it. */
function numericBench(hex: string, options: { model?: Model; compileAfter?: number } = {}) {
  const { model = '80386' } = options;
  const state = new Int32Array(stateWords);
  const fpu = new X87(coprocessorOf(model), state, { error: () => bench.cpu.setInterruptLine(true) });
  fpu.powerOn();
  const bench = makeBench(hex, { ...options, coprocessor: fpu, interruptVector: () => 0x75 });
  return { ...bench, fpu, fpuState: state };
}

const runToHlt = ({ cpu }: Pick<Bench, 'cpu'>) => expect(cpu.run(cpu.instructions + 1000).reason).toBe('halted');
const memory = ({ ram }: Pick<Bench, 'ram'>, offset: number, length: number) =>
  Buffer.from(ram.subarray((codeSegment << 4) + offset, (codeSegment << 4) + offset + length)).toString('hex');
const double = ({ ram }: Pick<Bench, 'ram'>, offset: number) =>
  new DataView(ram.buffer).getFloat64((codeSegment << 4) + offset, true);
const setDouble = ({ ram }: Pick<Bench, 'ram'>, offset: number, value: number) =>
  new DataView(ram.buffer).setFloat64((codeSegment << 4) + offset, value, true);

describe('detection', () => {
  // fninit; mov word [200],5a5a; fnstsw [200]; fnstcw [202]; hlt
  const looking = 'dbe3 c70600025a5a dd3e0002 d93e0202 f4';

  test.for([
    ['8086', '0000ff03'],
    ['80186', '0000ff03'],
    ['80286', '00007f03'],
    ['80386', '00007f03'],
  ] as const)('a coprocessor answers beside an %s', ([model, words]) => {
    const bench = numericBench(looking, { model });
    runToHlt(bench);
    expect(memory(bench, 0x200, 4)).toBe(words);
  });

  test('an empty socket does not', () => {
    const bench = makeBench(looking);
    runToHlt(bench);
    expect(memory(bench, 0x200, 4)).toBe('5a5a0000');
  });

  test.for([
    ['80286', true],
    ['80386', false],
  ] as const)('minus infinity is plus infinity beside an %s: %s', ([model, isEqual]) => {
    // fninit; fld1; fldz; fdivp; fld st0; fchs; fcompp; fnstsw ax; sahf; hlt
    const bench = numericBench('dbe3 d9e8 d9ee def9 d9c0 d9e0 ded9 dfe0 9e f4', { model });
    runToHlt(bench);
    expect((bench.cpu.get('flags') & 0x40) !== 0).toBe(isEqual);
  });
});

test('a program computes', () => {
  // fninit; fild word [200]; fsqrt; fmul qword [208]; fadd st0,st0; fst qword [210]; fistp dword [218]; hlt
  const bench = numericBench('dbe3 df060002 d9fa dc0e0802 d8c0 dd161002 db1e1802 f4');
  bench.put(0x200, '0200');
  setDouble(bench, 0x208, 1.5);
  runToHlt(bench);
  // The sum of roundings to 53 bits would be ...286.
  expect(double(bench, 0x210)).toBe(4.242640687119285);
  expect(memory(bench, 0x218, 4)).toBe('04000000');
  expect(bench.fpu.tags).toBe(0xffff);
});

describe('the environment', () => {
  // fninit; fld1; es: fld qword [bx+4]; fnsave [300]; hlt, and its 32-bit form
  const saving = (prefix: string) => `dbe3 d9e8 26dd4704 ${prefix}dd360003 f4`;

  test('is stored in 16 bits', () => {
    const bench = numericBench(saving(''));
    bench.cpu.set('es', 0x2345);
    bench.cpu.set('ebx', 0x100);
    runToHlt(bench);
    // Control, status (top 6), tags; 10104 with the bits 547, 23554.
    expect(memory(bench, 0x300, 14)).toBe('7f030030ff1f0401471554350020');
    expect(memory(bench, 0x30e, 20)).toBe(`${'00'.repeat(10)}0000000000000080ff3f`);
    expect([bench.fpu.tags, bench.fpu.status, bench.fpu.control]).toEqual([0xffff, 0, 0x37f]);
  });

  test('is stored in 32 bits, and comes back', () => {
    // frstor [300] after it
    const bench = numericBench(`${saving('66').slice(0, -2)} 66dd260003 f4`);
    bench.cpu.set('es', 0x2345);
    bench.cpu.set('ebx', 0x100);
    runToHlt(bench);
    expect(memory(bench, 0x300, 28)).toBe(
      '7f03ffff0030ffffff1fffff0401ffff4715000054 35ffff00200000'.replaceAll(' ', ''),
    );
    expect(memory(bench, 0x31c, 20)).toBe(`${'00'.repeat(10)}0000000000000080ff3f`);
    expect([bench.fpu.tags, bench.fpu.status]).toEqual([0x1fff, 6 << 11]);
    expect(bench.fpu.environment(false)).toEqual([0x037f, 6 << 11, 0x1fff, 0x0104, 0x1547, 0x3554, 0x2000]);
  });

  test('an 8087 counts no prefix, an 80287 in protected mode has selectors', () => {
    const first = numericBench(saving(''), { model: '8086' });
    first.cpu.set('es', 0x2345);
    first.cpu.set('ebx', 0x100);
    runToHlt(first);
    expect(memory(first, 0x306, 2)).toBe('0501');
    const second = numericBench(`dbe4 d9060002 d9360003 f4`, { model: '80286' });
    runToHlt(second);
    expect(memory(second, 0x306, 8)).toBe('0201001000020010');
    expect(second.fpu.control).toBe(0x37f);
  });

  test('FNSTENV masks everything', () => {
    const bench = numericBench('dbe3 d92e0002 d9360003 d93e0202 d9260003 d93e0402 f4');
    bench.put(0x200, '7203');
    runToHlt(bench);
    expect(memory(bench, 0x202, 4)).toBe('7f037203');
  });
});

describe('faults', () => {
  const handler = 0x400;

  test.for([
    ['EM stops escapes', 4, 'd9e8 f4', 7],
    ['TS stops escapes', 8, 'd9e8 f4', 7],
    ['TS with MP stops WAIT', 10, '9b f4', 7],
    ['an operand that leaves its segment', 0, 'dd06faff f4', 9],
  ] as const)('%s', ([, cr0, code, vector]) => {
    const bench = numericBench(code);
    setVector(bench, vector, handler);
    bench.put(handler, 'f4');
    bench.cpu.set('cr0', cr0);
    runToHlt(bench);
    expect(bench.cpu.get('ip')).toBe(handler + 1);
    expect(memory(bench, bench.cpu.get('sp'), 2)).toBe('0001');
    expect(bench.fpu.tags).toBe(0xffff);
  });

  test('TS alone lets WAIT pass, and an 8086 knows neither', () => {
    const bench = numericBench('9b f4');
    bench.cpu.set('cr0', 8);
    runToHlt(bench);
    expect(bench.cpu.get('ip')).toBe(start + 2);
  });

  test('an 8086 goes on at the beginning of the segment', () => {
    const bench = numericBench('dd06fcff dd1e0003 f4', { model: '8086' });
    setDouble(bench, 0x600, 12.375);
    const bytes = memory(bench, 0x600, 8);
    bench.put(0xfffc, bytes.slice(0, 8));
    bench.put(0, bytes.slice(8));
    runToHlt(bench);
    expect(double(bench, 0x300)).toBe(12.375);
  });

  test('an error interrupts after its instruction', () => {
    // sti; nop; fninit; fldcw [200]; fld1; fldz; fdivp; inc ax; hlt
    const bench = numericBench('fb 90 dbe3 d92e0002 d9e8 d9ee def9 40 f4');
    bench.put(0x200, '7b03');
    setVector(bench, 0x75, handler);
    // mov bx,ax; hlt
    bench.put(handler, '89c3 f4');
    runToHlt(bench);
    expect(bench.cpu.get('ip')).toBe(handler + 3);
    expect(memory(bench, bench.cpu.get('sp'), 2)).toBe('0e01');
    expect(bench.fpu.status & 0xff).toBe(0x84);
  });
});

describe.for([1, Number.POSITIVE_INFINITY])('the 486 with CR0.NE, compiled after %d', (compileAfter) => {
  // cli; mov eax,cr0; or al,20; mov cr0,eax; fninit; fld1; fldz; fdivp, whose exception is masked
  const divided = 'fa 0f20c0 0c20 0f22c0 dbe3 d9e8 d9ee def9';
  const unmasked = '7b03';
  const ownHandler = 0x800;
  const faultOf = (code: string, model: Model) => {
    const bench = numericBench(`${divided} ${code} f4`, { model, compileAfter });
    bench.put(0x200, unmasked);
    setVector(bench, 16, ownHandler);
    bench.put(ownHandler, 'f4');
    runToHlt(bench);
    return bench.cpu.get('ip') === ownHandler + 1 ? memory(bench, bench.cpu.get('sp'), 2) : 'none';
  };

  test('makes a fault of an exception, at the next instruction that waits', () => {
    // fldcw [200]; fnstsw ax; fnstcw [300]; one that waits
    for (const waiting of ['9b', 'd9e8', 'd92e0002', 'd8060003', 'dd260003', 'd91e0003'])
      expect(faultOf(`d92e0002 dfe0 d93e0003 ${waiting}`, '486')).toBe('1b01');
    expect(faultOf('d92e0002 9b', '80386')).toBe('none');
    // fnclex before it, or fninit
    for (const clears of ['dbe2', 'dbe3']) expect(faultOf(`d92e0002 ${clears} d9e8`, '486')).toBe('none');
  });

  test('in code that has run often without one', () => {
    // fld1; mov cx,20; L: fmul st0; loop L; fldcw [200]; jmp L
    expect(faultOf('d9e8 b92000 d8c8 e2fc d92e0002 ebf6', '486')).toBe('1601');
  });
});

/** Instructions on registers and on memory at DS:4000 to 41FF; what comes of them is NaNs now and then. */
const instructions = [
  ...['d8c1', 'dcca', 'd8e3', 'def9', 'dec1', 'd9c1', 'd9c9', 'ddd2', 'ddd9', 'd9fa', 'd9fc', 'd9e0', 'd9e8', 'd9eb'],
  ...['dfe0', 'd9fd', 'd9f8', 'd9fe', 'd9f0', 'd8d1', 'dae9', 'd9f4', 'd9f7', 'ddc3', 'dbe2', '9b'],
  ...['d90641', 'dd0642', 'df0643', 'db2e44', 'dc0e45', 'd83647', 'da2648', 'dd1649', 'd91e4a', 'df3e4b', 'df364c'],
  ...['d93e4d', 'd9364e', 'dd3e50', '40', '01d8', 'dd2652', 'dd3654'],
];

test.for([1, 2, 3, 4])('program %i of numbers runs the same in steps, in one piece and compiled', (seed) => {
  let value = seed;
  const random = (below: number) => {
    value = (Math.imul(value, 1103515245) + 12345) >>> 0;
    return (value >>> 8) % below;
  };
  let code = '';
  while (code.length < 500) {
    const chosen = instructions[random(instructions.length)] as string;
    const isMemory = chosen.length === 6 && /^d/.test(chosen);
    code += isMemory ? `${chosen.slice(0, 4)}${chosen.slice(4)}${random(2) === 0 ? '40' : '41'}` : chosen;
  }
  const back = -(code.length / 2 + 3) & 0xffff;
  code += `e9${(back & 0xff).toString(16).padStart(2, '0')}${(back >> 8).toString(16)}`;
  const play = (compileAfter: number, piece: number) => {
    const bench = numericBench(code, { compileAfter });
    for (let offset = 0x4000; offset < 0x4200; offset += 1) {
      bench.ram[(codeSegment << 4) + offset] = (Math.imul(offset, 0x9e3779b1) >>> (seed + 8)) & 0xff;
    }
    while (bench.cpu.instructions < 4000) {
      const { reason } = bench.cpu.run(Math.min(4000, bench.cpu.instructions + piece));
      expect(reason).toBe('count');
    }
    return { state: [...bench.state], numeric: [...bench.fpuState], memory: memory(bench, 0x4000, 0x200) };
  };
  const whole = play(Number.POSITIVE_INFINITY, 4000);
  expect(play(Number.POSITIVE_INFINITY, 1)).toEqual(whole);
  expect(play(2, 4000)).toEqual(whole);
  expect(play(2, 37)).toEqual(whole);
});

test.for(['80386', '8086'] as const)('compiled arithmetic of an %s leaves what it leaves step by step', (model) => {
  // fninit; fldpi; fld1; fld st1; L: fadd st0,st1; fmul st2,st0; fdiv st0,st2; fsubr st0,st1; fxch st2; fld st1; fdivp st2,st0;
  // fst st3; fadd st0,st0; fld st3; fsubp st1,st0; fstp st4; fld st3; es fadd st0,st2; jmp L
  const code = 'dbe3 d9eb d9e8 d9c1 d8c1 dcca d8f2 d8e9 d9ca d9c1 def2 ddd3 d8c0 d9c3 dee9 dddc d9c3 26d8c2 ebe1';
  const [before, round, rounds] = [4, 15, 60];
  const play = (compileAfter: number, piece: number) => {
    const bench = numericBench(code, { compileAfter, model });
    return Array.from({ length: rounds }, (_, index) => {
      const until = before + (index + 1) * round;
      while (bench.cpu.instructions < until) bench.cpu.run(Math.min(until, bench.cpu.instructions + piece));
      return `${bench.fpuState} ${bench.state}`;
    });
  };
  expect(play(2, round)).toEqual(play(Number.POSITIVE_INFINITY, 1));
});

/*
 * fninit; L: mov ecx,50; M: fld qword [D]; fmul qword [D+8]; fadd dword [D+16]; fst dword [D+32]; fstp qword [D]; fild word [D+44];
 * fidiv dword [D+40]; fdivr qword [D+8]; fsubr dword [D+16]; fcom dword [D+32]; fcomp qword [D+20]; fnstsw ax; sahf; jb N;
 * fild dword [D+40]; fsub qword [D+8]; fstp dword [D+36]; N: add word [D+44],3; dec ecx; jnz M; xor byte [D+47],1; fldcw [D+46];
 * xor word [D+14],16; jmp L. D is 4000 of the segment; in protected mode, by 32 bits, 14000 of memory.
 */
const realLoop =
  'dbe366b932000000dd060040dc0e0840d8061040d9162040dd1e0040df062c40da362840dc3e0840d82e1040d8162040dc1e1440dfe09e' +
  '720cdb062840dc260840d91e244083062c400366490f85b8ff80362f4001d92e2e4083360e4010eba2';
const flatLoop =
  'dbe3b932000000dd0500400100dc0d08400100d80510400100d91520400100dd1d00400100df052c400100da3528400100dc3d08400100' +
  'd82d10400100d81520400100dc1d14400100dfe09e7212db0528400100dc2508400100d91d244001006683052c40010003490f8598ffff' +
  'ff80352f40010001d92d2e4001006683350e40010010e979ffffff';
/** lgdt; to protected mode; flat segments; a stack. The descriptors lie after the loop. */
const flat = [
  '0f0116c5010f20c00c010f22c066ea15010000080066b810008ed88ed08ec0bc00800100',
  '0000000000000000ffff0000019acf00ffff00000092cf001700ad010100',
];
/** And pages, each where it is. */
const paged = [
  '0f011600020f20c00c010f22c066ea15010000080066b810008ed88ed08ec0bc00800100bf00000200c70703100200bf00100200b80300' +
    '0000890783c70405001000003d0300400075efb8000002000f22d80f20c00d000000800f22c0eb00',
  '0000000000000000ffff0000019acf00ffff00000092cf001700e8010100',
];

test.for([
  ['real mode', realLoop],
  ['protected mode', flat.join(flatLoop)],
  ['pages', paged.join(flatLoop)],
] as const)('compiled arithmetic with memory in %s leaves what it leaves step by step', ([, code]) => {
  const play = (compileAfter: number, piece: number) => {
    const bench = numericBench(code, { compileAfter });
    bench.put(
      0x4000,
      '000000000000f83f 230100000000e83f 00005040 0000000000000040 0000000000000000 b3ffffff 0700 7f03',
    );
    const quickly = (['load', 'store', 'compare', 'addOperand', 'divideOperand'] as const).map((name) =>
      vi.spyOn(quick, name),
    );
    while (bench.cpu.instructions < 6000) bench.cpu.run(Math.min(6000, bench.cpu.instructions + piece));
    const isQuick = quickly.map((spy) => spy.mock.results.some(({ value }) => value === true));
    vi.restoreAllMocks();
    return { isQuick, state: `${bench.fpuState} ${bench.state}`, memory: memory(bench, 0x4000, 48) };
  };
  const stepped = play(Number.POSITIVE_INFINITY, 1);
  expect(stepped.isQuick).toEqual([false, false, false, false, false]);
  expect(play(2, 900)).toEqual({ ...stepped, isQuick: [true, true, true, true, true] });
});

describe('disassembly', () => {
  const decoded = (hex: string, model: Model = '80386') => {
    const bytes = bytesOf(hex);
    return new Decoder(model, (linear) => bytes[linear] ?? 0).decode(0, 0);
  };

  test.for([
    ['d8c1', 'fadd st0,st1'],
    ['dcc1', 'fadd st1,st0'],
    ['d8e1', 'fsub st0,st1'],
    ['dce9', 'fsub st1,st0'],
    ['dee9', 'fsubp st1,st0'],
    ['dee1', 'fsubrp st1,st0'],
    ['def9', 'fdivp st1,st0'],
    ['d8d9', 'fcomp st1'],
    ['ded9', 'fcompp'],
    ['d9c9', 'fxch st1'],
    ['d9eb', 'fldpi'],
    ['d9fe', 'fsin'],
    ['dde1', 'fucom st1'],
    ['dfe0', 'fnstsw ax'],
    ['dbe3', 'fninit'],
    ['d90634 12', 'fld dword [0x1234]'],
    ['dd4702', 'fld qword [bx+2]'],
    ['db2f', 'fld tbyte [bx]'],
    ['26dc07', 'fadd qword [es:bx]'],
    ['de4efe', 'fimul word [bp-2]'],
    ['df7f08', 'fistp qword [bx+8]'],
    ['df3f', 'fistp qword [bx]'],
    ['df37', 'fbstp tbyte [bx]'],
    ['d92f', 'fldcw word [bx]'],
    ['d937', 'fnstenv [bx]'],
    ['66dd37', 'fnsave [bx]'],
    ['67d90443', 'fld dword [ebx+eax*2]'],
    ['d9d1', 'esc cx'],
    ['9b', 'wait'],
  ])('%s is %s', ([hex = '', text]) => {
    const instruction = decoded(hex);
    expect(disassemble(instruction)).toBe(text);
    expect(instruction.length).toBe(bytesOf(hex).length);
  });

  test('each model has its own instructions', () => {
    expect(disassemble(decoded('d9fe', '80286'))).toBe('esc si');
    expect(disassemble(decoded('dfe0', '80286'))).toBe('fnstsw ax');
    expect(disassemble(decoded('dfe0', '8086'))).toBe('esc ax');
  });

  test('what memory they touch is known', () => {
    expect(effectsOf(decoded('dd1f'))).toMatchObject({ reads: [], writes: [0] });
    expect(effectsOf(decoded('dc07'))).toMatchObject({ reads: [0], writes: [] });
    expect(decoded('66dd37').operands[0]).toMatchObject({ kind: 'memory', bytes: 108 });
  });
});

test.for([
  // fldpi; fldpi; fyl2x; fstp st0; jmp
  ['logarithms', 'd9eb d9eb d9f1 ddd8 ebf6'],
  // fldpi; fsin; fstp st0; jmp
  ['sines', 'd9eb d9fe ddd8 ebf8'],
])('%s tire, so that a run of them can be ended in time', ([, code], { expect }) => {
  const { cpu } = numericBench(`dbe3 ${code}`);
  cpu.limitEffort(100_000);
  expect(cpu.run(20_000).reason).toBe('effort');
  expect(cpu.instructions).toBeLessThan(1000);
});
