import { ownValue } from '../../own-value.ts';
import { wholeExpression } from './arguments.ts';
import type { Directive } from './directive.ts';
import type { Argument } from './nodes.ts';
import { encodingNames } from './text-encoding.ts';

export const origin: Directive = (context, args) => {
  const [first] = args;
  if (!first) {
    context.fail(context.column, 'an address is missing');
    return;
  }
  const named = first.tokens.at(-1)?.kind === 'string' && first.tokens.length > 1;
  if (named) {
    context.fail(first.column, 'only an address is expected here');
    return;
  }
  const address = context.value(first);
  if (address !== undefined) context.origin(address, first.column);
};

export const encoding: Directive = (context, args) => {
  const name = args[0]?.text ?? args[0]?.tokens[0]?.text ?? '';
  const known = ownValue(encodingNames, name.toLowerCase());
  if (known) context.encoding = known;
  else
    context.fail(
      args[0]?.column ?? context.column,
      `'${name}' is not an encoding; known are ${Object.keys(encodingNames).join(', ')}`,
    );
};

export const messageOf = (args: readonly Argument[]) =>
  args.map(({ text }) => text ?? '').join('') || 'stopped by the source';

/** `.const x = 1`, `.var x = 1`, `!set x = 1`, `.label x = 1`. */
export const assignment =
  (variable: boolean): Directive =>
  (context, args) => {
    const [argument] = args;
    const [name, sign, ...rest] = argument?.tokens ?? [];
    const operator = sign?.text ?? '';
    const isStep = variable && rest.length === 1 && /^[-+]$/.test(operator) && rest[0]?.text === operator;
    const isChange = variable && /^[-+]=$/.test(operator) && rest.length > 0;
    if (!argument || name?.kind !== 'name' || !(isStep || isChange || (operator === '=' && rest.length > 0))) {
      context.fail(argument?.column ?? context.column, 'name = value is expected');
      return;
    }
    const change = isStep ? 1 : context.value({ ...argument, expression: () => wholeExpression(rest) });
    const before = isStep || isChange ? context.value({ ...argument, expression: () => wholeExpression([name]) }) : 0;
    const known = change !== undefined && before !== undefined;
    const value = known ? before + (operator.startsWith('-') ? -change : change) : undefined;
    context.assign(name.text, value, variable);
  };

/** `.define NAME value`; without a value it is 1, for .ifdef. */
export const definition: Directive = (context, args) => {
  const [argument] = args;
  const [name, ...rest] = argument?.tokens ?? [];
  if (!argument || name?.kind !== 'name') {
    context.fail(argument?.column ?? context.column, 'a name is expected');
    return;
  }
  const tokens = rest[0]?.text === '=' ? rest.slice(1) : rest;
  const value = tokens.length === 0 ? 1 : context.value({ ...argument, expression: () => wholeExpression(tokens) });
  context.assign(name.text, value, false);
};

export const segment: Directive = (context, args) =>
  context.segment((args[0]?.text ?? args[0]?.tokens[0]?.text ?? '').toUpperCase());

export const assertion: Directive = (context, args) => {
  const [test, ...rest] = args;
  if (!test || context.value(test) !== 0) return;
  const message = rest.findLast(({ text }) => text !== undefined)?.text ?? 'the assertion does not hold';
  if (rest[0]?.tokens[0]?.text.toLowerCase() === 'warning') context.warn(test.column, message);
  else context.fail(test.column, message);
};

export const conditionalMessage =
  (level: 'fail' | 'warn'): Directive =>
  (context, args) => {
    const [test, ...rest] = args;
    if (test && context.value(test)) context[level](test.column, messageOf(rest));
  };

export const cpu: Directive = (context, args) => {
  const name = args[0]?.text ?? args[0]?.tokens.map(({ text }) => text).join('') ?? '';
  if (!/^(6502x?|6510|65xx|6502i|nmos6502|_6502|_6502nounintended|c64dtv2)$/i.test(name)) {
    context.fail(args[0]?.column ?? context.column, `the CPU here is a 6510, not ${name}`);
  }
};

export const outputFile: Directive = (context) =>
  context.warn(context.column, 'the name of the output file is chosen by whoever runs the assembler');

/** What has no meaning where there is one file and no linker, and changes no byte. */
export const nothing: Directive = () => {};
