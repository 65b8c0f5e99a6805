import { charsPerEffort, type Effort, effortOf } from './effort.ts';
import { SourceError } from './source-error.ts';
import { type Token, tokensOf } from './tokens.ts';

/** One line of the source. */
export interface Statement {
  readonly line: number;
  readonly label: string | undefined;
  /** Mnemonic or directive in lower case; empty where there is only a label. */
  readonly word: string;
  /** After the word. */
  readonly tokens: readonly Token[];
  /** What it takes to look at them. */
  readonly effort: number;
}

const mostDefinitions = 1000;
/** Of one line, with everything that was defined in its place. */
const mostTokens = 4096;
const longestLine = 0x10000;
/** What NASM has and this does not, by name. */
const refused: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '%macro': 'Macros are not supported; write the lines out or use times.',
    '%imacro': 'Macros are not supported; write the lines out or use times.',
    '%rep': 'Use times for repetition.',
    '%include': 'One source is one text; put it all in.',
    incbin: 'Write the bytes with db, or put the file on the drive and open it.',
    struc: 'Use equ for offsets.',
    istruc: 'Use db, dw and dd.',
    absolute: 'Use equ for addresses outside the program.',
    '%if': '%if is not supported: leave out what is not wanted.',
    '%ifdef': '%ifdef is not supported: leave out what is not wanted.',
    '%ifndef': '%ifndef is not supported: leave out what is not wanted.',
    extern: 'A COM file has nothing outside; put it all in one source.',
    dt: 'Numbers of 10 bytes are not supported; write their bytes with db.',
    do: 'Numbers of 16 bytes are not supported; write their bytes with db.',
  }),
);

const isDirectiveLine = /^\s*%/;

/** Splits a source into statements. `fail` is told what is wrong with a line. */
export function statementsOf(
  source: string,
  effort: Effort,
  fail: (line: number, error: unknown) => void,
): readonly Statement[] {
  const definitions = new Map<string, readonly Token[]>();
  const statements: Statement[] = [];
  for (const { text, line } of linesOf(source)) {
    try {
      effort.spend(1 + text.length / charsPerEffort);
      if (text.length > longestLine) throw new SourceError(`The line has more than ${longestLine} characters.`);
      if (isDirectiveLine.test(text)) define(text, definitions, effort);
      else statements.push(...parse(text, line, definitions, effort));
    } catch (error) {
      fail(line, error);
    }
  }
  return statements;
}

/** With their numbers; a backslash at the end goes on in the next one. */
function linesOf(source: string): { text: string; line: number }[] {
  const lines: { pieces: string[]; line: number }[] = [];
  let open: string[] | undefined;
  source.split(/\r?\n/).forEach((text, index) => {
    if (open) {
      open[open.length - 1] = (open.at(-1) ?? '').slice(0, -1);
      open.push(text);
    } else lines.push({ pieces: [text], line: index + 1 });
    open = text.endsWith('\\') ? lines.at(-1)?.pieces : undefined;
  });
  return lines.map(({ pieces, line }) => ({ text: pieces.join(' '), line }));
}

function define(text: string, definitions: Map<string, readonly Token[]>, effort: Effort): void {
  const [, word = '', name, value = ''] = /^\s*(%\w+)\s*([\w.?@$]+)?(.*)$/.exec(text) ?? [];
  const lower = word.toLowerCase();
  if (lower !== '%define' && lower !== '%assign') {
    throw new SourceError(
      refused.get(lower) ??
        `${word} is not supported: of NASM's preprocessor only %define NAME value and %assign NAME value are.`,
    );
  }
  if (name === undefined || value.startsWith('('))
    throw new SourceError('Write %define NAME value, without parameters.');
  if (definitions.size >= mostDefinitions) throw new SourceError(`More than ${mostDefinitions} definitions.`);
  definitions.set(name, substituted(tokensOf(value), definitions, effort));
}

function substituted(
  tokens: readonly Token[],
  definitions: ReadonlyMap<string, readonly Token[]>,
  effort: Effort,
): readonly Token[] {
  const found: Token[] = [];
  for (const token of tokens) {
    const meant = (token.kind === 'name' ? definitions.get(token.text) : undefined) ?? [token];
    effort.spend(meant.length);
    found.push(...meant);
    if (found.length > mostTokens) throw new SourceError(`The line has more than ${mostTokens} words and signs.`);
  }
  return found;
}

/** Directives may stand in brackets: `[bits 32]`. */
function unbracketed(tokens: readonly Token[]): readonly Token[] {
  const [open, name] = tokens;
  const isWhole = open?.text === '[' && open.kind === 'sign' && tokens.at(-1)?.text === ']';
  return isWhole && name?.kind === 'name' ? tokens.slice(1, -1) : tokens;
}

/** `label: word …`, or `label word …` where what follows cannot be anything but a directive that needs a label. */
function parse(
  text: string,
  line: number,
  definitions: ReadonlyMap<string, readonly Token[]>,
  effort: Effort,
): Statement[] {
  const tokens = unbracketed(substituted(tokensOf(text), definitions, effort));
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
  const why = refused.get(name);
  if (why !== undefined) throw new SourceError(`${name} is not supported. ${why}`);
  return [{ line, label, word: name, tokens: others, effort: effortOf(others) }];
}
