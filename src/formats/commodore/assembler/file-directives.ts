import type { Directive, DirectiveContext } from './directive.ts';
import type { Argument } from './nodes.ts';

const pathOf = (context: DirectiveContext, argument: Argument | undefined): string | undefined => {
  // KickAssembler: .import source "x", .import binary "x"; ACME: <x> for its library.
  const token = argument?.tokens.findLast(({ kind }) => kind === 'string');
  if (!token) context.fail(argument?.column ?? context.column, 'a file name in quotes is missing');
  return token?.text;
};

export const include: Directive = (context, args) => {
  const path = pathOf(context, args[0]);
  if (path !== undefined) context.include(path, args[0]?.column ?? context.column);
};

export const includeBinary: Directive = (context, args) => {
  const [file, second, third] = args;
  const path = pathOf(context, file);
  if (path === undefined || !file) return;
  // ACME has the size first, all others the offset.
  const [offset, size] = context.prefix === '!' ? [third, second] : [second, third];
  const bytes = context.binary(path, file.column);
  const from = offset && offset.tokens.length > 0 ? (context.value(offset) ?? 0) : 0;
  const length = size && size.tokens.length > 0 ? (context.value(size) ?? 0) : bytes.length - from;
  const missing = from + length - bytes.length;
  if (bytes.length > 0 && (from < 0 || length < 0 || (missing > 0 && context.prefix !== '!'))) {
    context.fail(file.column, `"${path}" has only ${bytes.length} bytes`);
  }
  context.emit(bytes.subarray(from, from + length));
  // ACME fills up to the size that was asked for.
  if (missing > 0 && missing <= 0x10000 && context.prefix === '!') context.emit(new Uint8Array(missing));
};

export const importFile: Directive = (context, args) => {
  const [first] = args;
  const word = first?.tokens[0]?.kind === 'name' ? first.tokens[0].text.toLowerCase() : '';
  if (!first?.tokens.some(({ kind }) => kind === 'string')) return;
  if (word === '' || word === 'source') include(context, args);
  else if (word === 'c64') {
    const path = pathOf(context, first);
    if (path !== undefined) context.emit(context.binary(path, first.column).subarray(2));
  } else includeBinary(context, args);
};
