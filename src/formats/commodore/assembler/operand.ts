import { isEnclosed, splitArguments, wholeExpression } from './arguments.ts';
import type { Expression } from './expression.ts';
import type { Instruction, OperandShape } from './instructions.ts';
import { SyntaxProblem, type Token } from './lexer.ts';

export interface Operand {
  readonly shape: OperandShape;
  readonly operand?: Expression;
  readonly bytes?: 1 | 2;
}

/** Reads what stands after a mnemonic. */
export function parseOperand(tokens: readonly Token[], instruction: Instruction): Operand {
  const [first, second] = tokens;
  if (!first) return { shape: instruction.has('implied') ? 'implied' : 'accumulator' };
  if (first.text === '#' && first.kind === 'operator') return { shape: '#', operand: wholeExpression(tokens.slice(1)) };
  if (tokens.length === 1 && first.kind === 'name' && /^a$/i.test(first.text) && instruction.has('accumulator')) {
    return { shape: 'accumulator' };
  }
  // ca65's a:label and z:label, 64tass's @w label and @b label.
  const prefix = second?.text === ':' && second.kind === 'operator' ? /^([az])$/i.exec(first.text)?.[1] : undefined;
  if (prefix) return { ...address(tokens.slice(2)), bytes: prefix.toLowerCase() === 'z' ? 1 : 2 };
  const size = /^@([bw])$/i.exec(first.text)?.[1];
  if (size && second?.spaced && second.kind !== 'operator')
    return { ...address(tokens.slice(1)), bytes: size.toLowerCase() === 'b' ? 1 : 2 };
  return address(tokens);
}

function address(tokens: readonly Token[]): Operand {
  const parts = splitArguments(tokens);
  const [main = [], index, extra] = parts;
  if (extra) throw new SyntaxProblem(extra[0]?.column ?? 1, 'an operand has at most one index');
  const register = index === undefined ? undefined : registerOf(index, tokens);
  if (isEnclosed(main)) {
    const inside = splitArguments(main.slice(1, -1));
    const [pointer = [], innerIndex] = inside;
    if (innerIndex && registerOf(innerIndex, main) === 'x' && register === undefined) {
      return { shape: '(,x)', operand: wholeExpression(pointer) };
    }
    if (innerIndex) throw new SyntaxProblem(main[0]?.column ?? 1, 'only (address,x) and (address),y exist');
    if (register === 'y') return { shape: '(),y', operand: wholeExpression(pointer) };
    if (register === undefined) return { shape: '()', operand: wholeExpression(pointer) };
  }
  const operand = wholeExpression(main);
  return { shape: register === undefined ? 'plain' : register === 'x' ? ',x' : ',y', operand };
}

function registerOf(tokens: readonly Token[], all: readonly Token[]): 'x' | 'y' {
  const [token] = tokens;
  if (tokens.length === 1 && token?.text.toLowerCase() === 'x') return 'x';
  if (tokens.length === 1 && token?.text.toLowerCase() === 'y') return 'y';
  throw new SyntaxProblem(token?.column ?? all.at(-1)?.column ?? 1, "an index is 'x' or 'y'");
}
