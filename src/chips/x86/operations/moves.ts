import { fields } from '../registers.ts';
import { loadSegment } from '../segments.ts';
import { type Call, type Operation, outcome, type Shape } from './operation.ts';

const ss = String(fields.ssBase);

function push({ memory }: Shape, value: string, width: number, stored = width): string {
  const { pointer, stackOffset, store } = memory;
  return `o = ${stackOffset(`${pointer} - ${width / 8}`)}; ${store(stored, ss, value, false)} ${pointer} = o;`;
}

/** Pushes `value` and goes elsewhere. */
export function pushAnd(shape: Shape, value: string, width: number, end: string): string {
  return `${push(shape, value, width)} ${end}`;
}

/** Pops `r`. */
export function popped({ memory }: Shape, width: number, more = '', loaded = width): string {
  const { pointer, stackOffset, load } = memory;
  const at = memory.plain ? pointer : stackOffset(pointer);
  return `o = ${at}; r = ${load(loaded, ss, false)}; ${pointer} = o + ${width / 8}${more};`;
}

function pushed(shape: Shape): string {
  const { width, generation, isRegister } = shape;
  // PUSH SP: the 8086 and 80186 store what the register is afterwards.
  const before = generation < 2 && isRegister(4) ? 'a = (a - 2) & 65535; ' : '';
  return `${before}${push(shape, 'a', width)}`;
}

/** Loads a segment register where descriptors tell what it means; the stack pointer moves when that went well. */
const popSegment: Call = (core, { d, operandSize }) => {
  const selector = core.stack(16, 0);
  const sp = core.sp + (operandSize >> 3);
  const wasWide = core.wideStack;
  loadSegment(core, d, selector);
  if (wasWide) core.words[fields.esp] = sp;
  else core.halves[fields.esp * 2] = sp;
  return loaded(core, d);
};

const moveSegment: Call = (core, { d }, _a, b) => {
  loadSegment(core, d, b & 0xffff);
  return loaded(core, d);
};

/** After a load of SS no interrupt comes before the next instruction. */
function loaded(core: Parameters<Call>[0], register: number): number {
  if (register === fields.ss) {
    core.words[fields.shadow] = 1;
    core.attention[0] = core.attention[0] | 2;
  }
  return core.attention[0] === 0 ? outcome.next : outcome.look;
}

const segmentMove: Operation = { reads: 'b', writes: '', control: 'look', call: moveSegment };
const segmentPop: Operation = { reads: '', writes: '', control: 'look', call: popSegment };

export const moves: Readonly<Record<string, Operation>> = {
  mov: { reads: 'b', writes: 'a', code: () => 'r = b;' },
  lea: { reads: '', writes: 'a', code: () => 'r = o;' },
  xchg: { reads: 'ab', writes: 'ab', code: () => 'r = b; q = a;' },
  movzx: { reads: 'b', writes: 'a', code: () => 'r = b;' },
  movsx: {
    reads: 'b',
    writes: 'a',
    code: ({ sourceWidth }) => `r = (b << ${32 - sourceWidth}) >> ${32 - sourceWidth};`,
  },
  push: { reads: 'a', writes: '', control: 'look', code: pushed },
  // Of a segment register only 16 bits are moved, even where it takes 32 on the stack.
  'push segment': {
    reads: 'a',
    writes: '',
    control: 'look',
    code: (shape) => push(shape, 'a', shape.operandSize, 16),
  },
  pop: { reads: '', writes: 'a', code: (shape) => popped(shape, shape.width) },
  'pop segment': { reads: '', writes: 'a', code: (shape) => popped(shape, shape.operandSize, '', 16) },
  'mov protected segment': segmentMove,
  'pop protected segment': segmentPop,
  nop: { reads: '', writes: '', code: () => '' },
  cld: { reads: '', writes: '', code: () => `R[${fields.eflags}] &= ~1024;` },
  std: { reads: '', writes: '', code: () => `R[${fields.eflags}] |= 1024;` },
};
