import { fields } from '../registers.ts';
import { popped, pushAnd } from './moves.ts';
import { type Operation, outcome, type Shape } from './operation.ts';

const eip = `R[${fields.eip}]`;

/** The sixteen conditions, in the order of their encoding, as text over the flags. */
export const conditions: Readonly<Record<string, { readonly text: string; readonly flags: string }>> = {
  o: { text: 'fo < 0', flags: 'o' },
  no: { text: 'fo >= 0', flags: 'o' },
  b: { text: 'fc !== 0', flags: 'c' },
  ae: { text: 'fc === 0', flags: 'c' },
  e: { text: 'fr === 0', flags: 'z' },
  ne: { text: 'fr !== 0', flags: 'z' },
  be: { text: 'fc !== 0 || fr === 0', flags: 'zc' },
  a: { text: 'fc === 0 && fr !== 0', flags: 'zc' },
  s: { text: '(fr ^ fx) < 0', flags: 's' },
  ns: { text: '(fr ^ fx) >= 0', flags: 's' },
  p: { text: 'P[(fr ^ (fx >>> 8)) & 255] !== 0', flags: 'p' },
  np: { text: 'P[(fr ^ (fx >>> 8)) & 255] === 0', flags: 'p' },
  l: { text: '(fr ^ fx ^ fo) < 0', flags: 'so' },
  ge: { text: '(fr ^ fx ^ fo) >= 0', flags: 'so' },
  le: { text: 'fr === 0 || (fr ^ fx ^ fo) < 0', flags: 'szo' },
  g: { text: 'fr !== 0 && (fr ^ fx ^ fo) >= 0', flags: 'szo' },
};

/** Jumps can lead out of the segment: in real mode only those of 32 bits. */
function checked({ operandSize, memory }: Shape, target: string): string {
  if (!memory.plain) return `if ((${target} >>> 0) > (R[${fields.csLimit}] >>> 0)) c.fault(13);`;
  return operandSize === 32 ? `if ((${target} >>> 0) > 65535) c.fault(13);` : '';
}

function take(shape: Shape): string {
  return `{ ${checked(shape, shape.field('target'))} return ${outcome.taken}; }`;
}

function loop(condition: string): (shape: Shape) => string {
  return (shape) => {
    const counter = shape.addressSize === 32 ? 'R[1]' : 'R16[2]';
    const counted = shape.addressSize === 32 ? `t = (${counter} - 1) | 0;` : `t = (${counter} - 1) & 65535;`;
    return `${counted} if (t !== 0${condition}) { ${checked(shape, shape.field('target'))} ${counter} = t; return ${outcome.taken}; } ${counter} = t;`;
  };
}

const plain = { reads: '', writes: '', control: 'jump' } as const;

export const branches: Readonly<Record<string, Operation>> = {
  ...Object.fromEntries(
    Object.entries(conditions).flatMap(([name, { text, flags }]): [string, Operation][] => [
      [`j${name}`, { ...plain, flagsRead: flags, code: (shape) => `if (${text}) ${take(shape)}` }],
      [`set${name}`, { reads: '', writes: 'a', flagsRead: flags, code: () => `r = (${text}) ? 1 : 0;` }],
    ]),
  ),
  loop: { ...plain, code: loop('') },
  loope: { ...plain, flagsRead: 'z', code: loop(' && fr === 0') },
  loopne: { ...plain, flagsRead: 'z', code: loop(' && fr !== 0') },
  jcxz: {
    ...plain,
    code: (shape) => `if (${shape.addressSize === 32 ? 'R[1]' : 'R16[2]'} === 0) ${take(shape)}`,
  },
  'jmp J': { ...plain, code: take },
  'jmp E': {
    ...plain,
    reads: 'a',
    code: (shape) => `${checked(shape, 'a')} ${eip} = a; return ${outcome.jump};`,
  },
  'call J': {
    ...plain,
    code: (shape) =>
      `${checked(shape, shape.field('target'))} ${pushAnd(shape, shape.field('next'), shape.operandSize, `return ${outcome.call};`)}`,
  },
  'call E': {
    ...plain,
    reads: 'a',
    code: (shape) =>
      `${checked(shape, 'a')} ${pushAnd(shape, shape.field('next'), shape.operandSize, `${eip} = a; return ${outcome.callTo};`)}`,
  },
  ret: {
    ...plain,
    code: (shape) => {
      const { pointer, plain: isPlain } = shape.memory;
      const pops = popped(shape, shape.operandSize, ` + ${shape.field('imm')}`);
      const most = isPlain ? '65535' : `(R[${fields.csLimit}] >>> 0)`;
      const isChecked = shape.operandSize === 32 || !isPlain;
      const restore = isChecked ? `if ((r >>> 0) > ${most}) { ${pointer} = o; c.fault(13); }` : '';
      return `${pops} ${restore} ${eip} = r; return ${outcome.return};`;
    },
  },
};
