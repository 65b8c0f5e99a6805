import { SourceError } from './source-error.ts';
import { type Token, tokensOf } from './tokens.ts';

/** One line of the source. */
export interface Statement {
  readonly line: number;
  readonly label: string | undefined;
  /** Mnemonic or directive in lower case; empty where there is only a label. */
  readonly word: string;
  /** Behind the word. */
  readonly tokens: readonly Token[];
}

const mostDefinitions = 1000;
/** What NASM has and this does not, by name. */
const refused: Readonly<Record<string, string>> = {
  '%macro': 'Macros are not supported; write the lines out or use times.',
  '%imacro': 'Macros are not supported; write the lines out or use times.',
  '%rep': 'Use times for repetition.',
  '%include': 'One source is one text; put it all in.',
  incbin: 'Write the bytes with db, or put the file on the drive and open it.',
  struc: 'Use equ for offsets.',
  istruc: 'Use db, dw and dd.',
  extern: 'A COM file has nothing outside; put it all in one source.',
  dt: 'Numbers of 10 bytes are not supported; write their bytes with db.',
  do: 'Numbers of 16 bytes are not supported; write their bytes with db.',
};

const isDirectiveLine = /^\s*%/;

/** Splits a source into statements. `fail` is told what is wrong with a line. */
export function statementsOf(source: string, fail: (line: number, error: unknown) => void): readonly Statement[] {
  const definitions = new Map<string, readonly Token[]>();
  const statements: Statement[] = [];
  source.split(/\r?\n/).forEach((text, index) => {
    const line = index + 1;
    try {
      if (isDirectiveLine.test(text)) define(text, definitions);
      else statements.push(...parse(text, line, definitions));
    } catch (error) {
      fail(line, error);
    }
  });
  return statements;
}

function define(text: string, definitions: Map<string, readonly Token[]>): void {
  const [, word = '', name, value = ''] = /^\s*(%\w+)\s*([\w.?@$]+)?(.*)$/.exec(text) ?? [];
  const lower = word.toLowerCase();
  if (lower !== '%define' && lower !== '%assign') {
    throw new SourceError(
      refused[lower] ?? `${word} is not supported: of NASM's preprocessor only %define NAME value is.`,
    );
  }
  if (name === undefined || value.startsWith('('))
    throw new SourceError('Write %define NAME value, without parameters.');
  if (definitions.size >= mostDefinitions) throw new SourceError(`More than ${mostDefinitions} definitions.`);
  definitions.set(name, substituted(tokensOf(value), definitions));
}

function substituted(tokens: readonly Token[], definitions: ReadonlyMap<string, readonly Token[]>): readonly Token[] {
  return tokens.flatMap((token) => (token.kind === 'name' ? (definitions.get(token.text) ?? token) : token));
}

/** `label: word …`, or `label word …` where what follows cannot be anything but a directive that needs a label. */
function parse(text: string, line: number, definitions: ReadonlyMap<string, readonly Token[]>): Statement[] {
  const tokens = substituted(tokensOf(text), definitions);
  const [first, second] = tokens;
  if (!first) return [];
  if (first.kind !== 'name') throw new SourceError(`${first.text} cannot begin a line.`);
  const colon = second?.kind === 'sign' && second.text === ':';
  const data = second?.kind === 'name' && /^(equ|d[bwdqt]|res[bwdq]|times)$/i.test(second.text);
  const label = colon || data ? first.text : undefined;
  const rest = tokens.slice(colon ? 2 : data ? 1 : 0);
  const [word, ...others] = rest;
  if (word && word.kind !== 'name') throw new SourceError(`${word.text} is not an instruction.`);
  const name = word?.text.toLowerCase() ?? '';
  const why = refused[name];
  if (why !== undefined) throw new SourceError(`${name} is not supported. ${why}`);
  return [{ line, label, word: name, tokens: others }];
}
