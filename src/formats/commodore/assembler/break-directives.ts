import { breakpointsOf, typesOf } from '../symbols/build-breakpoints.ts';
import type { Directive } from './directive.ts';

/** `.break`, or `.break "if a == 5"`: stops before the instruction that follows. */
export const breakHere: Directive = (context, args) => {
  for (const each of breakpointsOf(['exec'], context.pc, context.pc, args[0]?.text)) context.breakpoint(each);
};

/** `.watch $d020`, `.watch table, table + 9, "store"`: stops when the memory is read or written. */
export const watch: Directive = (context, args) => {
  const operation = args.find(({ text }) => text !== undefined);
  const [first, last = first] = args.filter((argument) => argument !== operation);
  if (!first) {
    context.fail(context.column, 'an address is missing');
    return;
  }
  const from = context.value(first);
  const to = last === first ? from : last && context.value(last);
  if (from === undefined || to === undefined) return;
  for (const each of breakpointsOf(typesOf(operation?.text ?? '', ['read', 'write']), from, to))
    context.breakpoint(each);
};
