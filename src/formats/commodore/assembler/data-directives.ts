import type { Directive, DirectiveContext } from './directive.ts';
import type { Argument } from './nodes.ts';
import type { TextEncoding } from './text-encoding.ts';

export const numbers =
  (size: number): Directive =>
  (context, args) => {
    if (args.length === 0) context.fail(context.column, 'a value is missing');
    for (const argument of args) {
      if (argument.text !== undefined && size === 1) context.emit(context.text(argument, context.encoding));
      else context.emitNumber(context.value(argument), size, argument.column);
    }
  };

export const strings =
  (change: (bytes: number[]) => number[], encoding?: (now: TextEncoding) => TextEncoding): Directive =>
  (context, args) => {
    const wanted = encoding?.(context.encoding) ?? context.encoding;
    const bytes = args.flatMap((argument) => {
      if (argument.text !== undefined) return context.text(argument, wanted);
      const value = context.value(argument) ?? 0;
      if (value < -128 || value > 255) context.fail(argument.column, `${value} does not fit in a byte`);
      return [value & 255];
    });
    context.emit(change(bytes));
  };

export const same = (bytes: number[]) => bytes;
export const toScreen = (now: TextEncoding): TextEncoding => (now.endsWith('upper') ? 'screen_upper' : 'screen');
export const toPetscii = (now: TextEncoding): TextEncoding => (now.endsWith('upper') ? 'petscii_upper' : 'petscii');

/** The address space is the limit of what any count can mean. */
function countOf(context: DirectiveContext, argument: Argument | undefined): number {
  if (!argument) {
    context.fail(context.column, 'a count is missing');
    return 0;
  }
  const count = context.value(argument) ?? 0;
  if (count >= 0 && count <= 0x10000) return Math.trunc(count);
  context.fail(argument.column, `a count of ${count} is not in 0-65536`);
  return 0;
}

export const fill: Directive = (context, args) => {
  const count = countOf(context, args[0]);
  const values = args.slice(1).map((argument) => (context.value(argument) ?? 0) & 255);
  context.emit(Array.from({ length: count }, (_, index) => values[index % values.length] ?? 0));
};

export const align: Directive = (context, args) => {
  const [first, second, third] = args;
  if (!first) {
    context.fail(context.column, 'an alignment is missing');
    return;
  }
  const unit = context.value(first) ?? 1;
  let count = 0;
  if (context.prefix === '!') {
    // ACME: until (pc & mask) == value.
    const wanted = second ? (context.value(second) ?? 0) : 0;
    while (count < 0x10000 && ((context.pc + count) & unit) !== wanted) count++;
    context.emit(new Array<number>(count & 0xffff).fill(third ? (context.value(third) ?? 0) & 255 : 0xea));
    return;
  }
  if (unit < 1 || unit > 0x8000) {
    context.fail(first.column, `${unit} is not an alignment`);
    return;
  }
  while ((context.pc + count) % unit !== 0) count++;
  context.emit(new Array<number>(count).fill(second ? (context.value(second) ?? 0) & 255 : 0));
};

export const hex: Directive = (context, args) => {
  const digits = args.flatMap(({ tokens }) => tokens.map(({ text }) => text)).join('');
  if (!/^([\da-f]{2})*$/i.test(digits))
    return context.fail(args[0]?.column ?? context.column, 'pairs of hex digits are expected');
  context.emit((digits.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));
};

export const halves =
  (shift: number): Directive =>
  (context, args) =>
    context.emit(args.map((argument) => ((context.value(argument) ?? 0) >> shift) & 255));

export const bigEndian: Directive = (context, args) => {
  for (const argument of args) {
    const value = context.value(argument) ?? 0;
    context.emit([(value >> 8) & 255, value & 255]);
  }
};

export const lastShifted = (bytes: number[]) =>
  bytes.map((byte, index) => (index === bytes.length - 1 ? byte | 128 : byte));

/** A BASIC line `10 SYS nnnn`; without an address it starts what follows. */
export const basicStub: Directive = (context, args) => {
  if (context.isUntouched) context.origin(0x0801, context.column);
  const [target, number] = args;
  const line = number ? (context.value(number) ?? 10) : 10;
  const start = context.pc;
  const overhead = 8;
  const after = start + overhead + String(start + overhead + 4).length;
  const address = target && target.tokens.length > 0 ? context.value(target) : after;
  const digits = [...String(address ?? after)].map((digit) => digit.charCodeAt(0));
  const next = start + 6 + digits.length;
  context.emit([next & 255, next >> 8, line & 255, (line >> 8) & 255, 0x9e, ...digits, 0, 0, 0]);
};
