import type { Model } from '../../../chips/x86/models.ts';
import { Assembler, comOrigin } from './assembler.ts';
import { Effort } from './effort.ts';
import { SourceError, TooMuch } from './source-error.ts';
import { statementsOf } from './statement.ts';

export interface AssemblyError {
  readonly line: number;
  readonly message: string;
}

export interface Assembly {
  /** A COM file, where there are no errors. */
  readonly bytes: Uint8Array;
  /** Offset of its first byte. */
  readonly origin: number;
  /** Labels and constants by name. */
  readonly symbols: ReadonlyMap<string, number>;
  readonly errors: readonly AssemblyError[];
}

const mostPasses = 40;
const mostStatements = 20_000;
const mostErrors = 20;

/**
 * Assembles a COM file from source in the syntax of NASM. It never throws for what is wrong in the source: `errors` says
 * what and where. Work is counted: more than `mostEffort` of it ends in `EffortExceeded`. Passes go on until no label moves; an instruction never gets shorter again, so they come to an end.
 */
export function assemble(source: string, model: Model = '80386', mostEffort?: number): Assembly {
  try {
    return assembled(source, model, new Effort(mostEffort));
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    return {
      bytes: new Uint8Array(),
      origin: comOrigin,
      symbols: new Map(),
      errors: [{ line: 1, message: error.message }],
    };
  }
}

function assembled(source: string, model: Model, effort: Effort): Assembly {
  let errors: AssemblyError[] = [];
  const fail = (line: number, error: unknown) => {
    if (!(error instanceof SourceError)) throw error;
    if (errors.length < mostErrors) errors.push({ line, message: error.message });
  };
  const statements = statementsOf(source, effort, fail);
  if (statements.length > mostStatements) {
    fail(mostStatements, new SourceError(`The source has more than ${mostStatements} lines with code.`));
  }
  const assembler = new Assembler(statements, model, effort);
  if (errors.length === 0) {
    let passes = 0;
    let settled = false;
    while (!settled && passes < mostPasses) {
      // Names that are defined further down are not known in the first passes: only the last one's errors are.
      errors = [];
      settled = assembler.pass(fail);
      passes += 1;
    }
    if (settled && errors.length === 0 && assembler.image().length === 0) {
      fail(1, new SourceError('There is no instruction and no data here: nothing would run but what lies in memory.'));
    }
    if (!settled) fail(1, new SourceError('The addresses do not settle: a label depends on itself.'));
  }
  return { bytes: assembler.image(), origin: assembler.origin, symbols: assembler.symbols, errors };
}
