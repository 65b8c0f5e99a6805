import type { SourceLine } from './assembly.ts';
import type { DirectiveContext } from './directive.ts';
import type { Environment } from './expression.ts';
import type { Argument } from './nodes.ts';
import type { Output } from './output.ts';
import type { SymbolTable } from './symbol-table.ts';
import type { TextEncoding } from './text-encoding.ts';

interface Place {
  readonly line: SourceLine;
  readonly column: number;
  readonly prefix: string;
}

interface Actions {
  readonly isUntouched: boolean;
  encode(text: string, encoding: TextEncoding, column: number): number[];
  encoding(): TextEncoding;
  setEncoding(encoding: TextEncoding): void;
  origin(address: number, column: number): void;
  include(path: string, column: number): void;
  binary(path: string): Uint8Array | undefined;
  define(name: string, value: number | undefined): void;
  warn(column: number, message: string): void;
}

/** What a directive sees of the assembler. */
export function directiveContext(
  assembler: Environment & { readonly output: Output; readonly symbols: SymbolTable },
  { line, column, prefix }: Place,
  actions: Actions,
): DirectiveContext {
  const { output, symbols } = assembler;
  return {
    line,
    column,
    prefix,
    isUntouched: actions.isUntouched,
    get pc() {
      return output.pc;
    },
    get encoding() {
      return actions.encoding();
    },
    set encoding(encoding) {
      actions.setEncoding(encoding);
    },
    value: (argument: Argument) => argument.expression().evaluate(assembler),
    emit: (bytes) => {
      for (const byte of bytes) output.emit(byte);
    },
    emitNumber: (value, size, at) => {
      const number = Math.trunc(value ?? 0);
      const limit = 256 ** size;
      if (number < -limit / 2 || number >= limit) {
        const hint = size === 1 ? '; use < for its low byte, > for its high byte, or .word' : '';
        assembler.fail(at, `${number} does not fit in ${size === 1 ? 'a byte' : `${size} bytes`}${hint}`);
      }
      for (let index = 0; index < size; index++) output.emit(Math.floor(number / 256 ** index) & 255);
    },
    text: (argument, encoding) => actions.encode(argument.text ?? '', encoding, argument.column),
    origin: actions.origin,
    include: actions.include,
    binary: (path, at) => {
      const bytes = actions.binary(path);
      if (!bytes) assembler.fail(at, `"${path}" cannot be read`);
      return bytes ?? new Uint8Array(0);
    },
    assign: (name, value, variable) => {
      if (variable) symbols.assign(name, value, line);
      else actions.define(name, value);
    },
    segment: (name) => output.segment(name),
    breakpoint: (breakpoint) => void output.breakpoints.push(breakpoint),
    fail: (at, message) => void assembler.fail(at, message),
    warn: actions.warn,
  };
}
