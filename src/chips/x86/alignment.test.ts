import { describe, expect, test } from 'vitest';
import { stateWords } from '../x87/fields.ts';
import { X87 } from '../x87/x87.ts';
import { dwords, endOf, pagedBench, protectedBench, stack0, task } from './protected-testing.ts';

const alignmentFault = 17;
const generalFault = 13;
const undefinedCode = 6;
const pageFault = 14;

const toRing3 = '6a33 680070 6a2b 680002 cb';
/** mov ax,33; mov ds,ax; mov es,ax; pushfd; pop eax; or eax,40000; push eax; popfd */
const turnOn = 'b83300 8ed8 8ec0 669c 6658 660d00000400 6650 669d';
const on = 0x40011;
/** Of the access: the fault says it. */
const accessAt = 0x21d;

/** Ten turns at [si] as it is, then one at [si+1]: mov cx,0b; mov si,OFFSET; mov di,si; L: …; cmp cx,2; jne M; inc si; inc di; M: loop L; ud2 */
function turns(access: string, offset = 0x300): string {
  const length = access.replaceAll(' ', '').length / 2;
  const low = (offset & 0xff).toString(16).padStart(2, '0');
  const back = (0x100 - (9 + length)).toString(16);
  return `${turnOn} b90b00 be${low}0${offset >> 8} 89f7 ${access} 83f902 7502 4647 e2${back} 0f0b`;
}

interface Wanted {
  readonly model?: '80386' | '486';
  readonly compileAfter?: number;
  readonly cr0?: number;
}

function bench(code: string, { model = '486', compileAfter = 1, cr0 = on }: Wanted = {}) {
  const coprocessor = new X87('80387', new Int32Array(stateWords), { error: () => undefined });
  coprocessor.powerOn();
  const made = protectedBench(toRing3, { model, compileAfter, coprocessor });
  made.cpu.set('cr0', cr0);
  made.put(0x200, code);
  return made;
}

describe.for([1, Number.POSITIVE_INFINITY])('compiled after %d', (compileAfter) => {
  test.for([
    ['a word', '8b04'],
    ['a dword', '668b04'],
    ['a store', '668904'],
    ['what is read and written', '830405'],
    ['a move of strings', 'a5 83ee02 83ef02'],
    ['many at once', '51 b92000 f366a5 59 83ee7c83ee04 83ef7c83ef04'],
    ['a far pointer', 'c41c'],
    ['a number of four bytes', 'd904 ddd8'],
    ['one of eight', 'dd04 ddd8'],
    ['one of ten', 'db2c ddd8'],
    ['one that is stored', 'd9e8 dd1c'],
    ['the words of the coprocessor', '66d934'],
  ] as const)('%s across its size is a fault', ([, access]) => {
    const made = bench(turns(access), { compileAfter });
    made.ram.fill(0, 0x10300, 0x10400);
    expect(endOf(made)).toBe(alignmentFault);
    const inner = access.startsWith('51') ? 4 : access.startsWith('d9e8') ? 2 : 0;
    expect(dwords(made, 3)).toEqual([0, accessAt + inner, 0x2b]);
  });

  test.for([
    ['bytes', '8a04'],
    ['bytes that are moved', 'a4 4e4f'],
    ['the address alone', '8d04'],
  ] as const)('%s lie anywhere', ([, access]) => {
    expect(endOf(bench(turns(access), { compileAfter }))).toBe(undefinedCode);
  });

  test('dwords are more than words: what would do for two bytes does not for four', () => {
    expect(endOf(bench(turns('8b04', 0x302), { compileAfter }))).toBe(alignmentFault);
    const made = bench(turns('668b04', 0x302), { compileAfter });
    expect(endOf(made)).toBe(alignmentFault);
    expect(made.cpu.get('cx')).toBe(11);
    const eight = bench(turns('dd04 ddd8', 0x304), { compileAfter });
    expect(endOf(eight)).toBe(alignmentFault);
    expect(eight.cpu.get('cx')).toBe(11);
  });

  test.for([
    ['a 80386', { model: '80386' }],
    ['CR0 without its bit', { cr0: 0x11 }],
  ] as const)('%s checks nothing', ([, wanted]) => {
    expect(endOf(bench(turns('668b04'), { ...wanted, compileAfter }))).toBe(undefinedCode);
  });

  test('the flag can be taken back', () => {
    // pushfd; and byte [esp+2],fb; popfd; mov eax,[301]; ud2
    const made = bench(`${turnOn} 669c 67806424 02fb 669d 66a10103 0f0b`, { compileAfter });
    expect(endOf(made)).toBe(undefinedCode);
  });

  test('a limit is met before, and a segment that grows downwards has its own', () => {
    // mov ax,3b; mov ds,ax; mov ax,[1ff]
    const beyond = bench(`${turnOn} b83b00 8ed8 a1ff01 f4`, { compileAfter });
    beyond.descriptor(0x38, 0x10000, 0x1ff, 0xf2);
    expect(endOf(beyond)).toBe(generalFault);
    for (const [offset, vector] of [
      ['fe01', generalFault],
      ['0102', alignmentFault],
      ['0202', undefinedCode],
    ] as const) {
      const made = bench(`${turnOn} b83b00 8ed8 a1${offset} 0f0b`, { compileAfter });
      made.descriptor(0x38, 0x10000, 0x1ff, 0xf6);
      expect([offset, endOf(made)]).toEqual([offset, vector]);
    }
  });

  test('the stack of users is looked at, that of the system is not', () => {
    // mov sp,6fff; push ax
    const made = bench(`${turnOn} bcff6f 50`, { compileAfter });
    expect(endOf(made)).toBe(alignmentFault);
    expect(dwords(made, 6)).toEqual([0, 0x218, 0x2b, expect.any(Number), 0x6fff, 0x33]);
    const inner = bench(`${turnOn} 0f0b`, { compileAfter });
    inner.ram[task + 4] = (stack0 & 0xff) + 1;
    expect(endOf(inner)).toBe(undefinedCode);
    expect(inner.cpu.get('esp')).toBe(stack0 + 1 - 20);
  });
});

test.for([1, Number.POSITIVE_INFINITY])('with pages, before what the page says (compiled after %d)', (compileAfter) => {
  const made = pagedBench('6a33 680070 6a2b 680002 cb', compileAfter, '486');
  made.cpu.set('cr0', made.cpu.get('cr0') | 0x40000 | 0);
  made.put(0x200, turns('668b04'));
  expect(endOf(made)).toBe(alignmentFault);
  expect(dwords(made, 3)).toEqual([0, accessAt, 0x2b]);
});

test.for([1, Number.POSITIVE_INFINITY])(
  'a number that could not be stored is still there (compiled after %d)',
  (compileAfter) => {
    const coprocessor = new X87('80387', new Int32Array(stateWords), { error: () => undefined });
    coprocessor.powerOn();
    // mov cx,3; L: fld1; fstp qword [es:bx]; add bx,1000; loop L; hlt: the third page is not there
    const made = pagedBench('b90300 bb0000 d9e8 26dd1f 81c30010 e2f5 f4', compileAfter, '486', { coprocessor });
    made.cpu.set('es', 0x10);
    made.ram[0x41000 + 0x12 * 4] = 6;
    expect(endOf(made)).toBe(pageFault);
    expect(coprocessor.tags).toBe(0x3fff);
  },
);
