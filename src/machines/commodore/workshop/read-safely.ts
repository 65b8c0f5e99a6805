import { EffortExceeded } from '../../../formats/commodore/assembler/assembler.ts';
import type { TokeniseResult } from '../../../formats/commodore/basic/tokenise.ts';
import type { Annotation } from '../../../formats/commodore/symbols/annotation.ts';
import type { FileLine, FileSymbol } from '../../../formats/commodore/symbols/symbol-file.ts';
import { MachineError } from '../../../machine/errors.ts';
import { nextTurn } from '../../shared/time-slice.ts';
import { Workshop } from '../../shared/workshop.ts';
import { type AssembledProgram, jobs, type ReadSymbols } from './jobs.ts';
import { type PackedLines, packLines, unpackLines } from './packed-lines.ts';

/** What is done at once, because even the worst of it takes some milliseconds only. */
const shortSource = 16_384;
const shortEffort = 50_000;
const shortText = 2048;
const longestText = 8 * 1024 * 1024;

const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
const workshop = new Workshop<typeof jobs>(new URL(`./commodore-workshop-worker${extension}`, import.meta.url));

/** Assembles a source, in a thread of its own where it is long or takes long. */
export async function assembleSafely(
  source: string,
  fileName: string,
  signal: AbortSignal,
): Promise<Unpacked<AssembledProgram>> {
  return unpacked(await assembled(source, fileName, signal));
}

async function assembled(source: string, fileName: string, signal: AbortSignal): Promise<AssembledProgram> {
  refuseLong(fileName, source);
  if (source.length <= shortSource) {
    try {
      return jobs.assemble({ source, fileName, mostEffort: shortEffort });
    } catch (error) {
      if (!(error instanceof EffortExceeded)) throw problem(fileName, error);
    }
  }
  return workshop.run('assemble', { source, fileName }, signal).catch((error: unknown) => {
    throw problem(fileName, error);
  });
}

export async function tokeniseSafely(text: string, fileName: string, signal: AbortSignal): Promise<TokeniseResult> {
  refuseLong(fileName, text);
  return text.length <= shortText ? jobs.tokenise(text) : workshop.run('tokenise', text, signal);
}

export async function readSymbolsSafely(
  text: string,
  fileName: string,
  signal: AbortSignal,
): Promise<Unpacked<ReadSymbols> | undefined> {
  refuseLong(fileName, text);
  const job = { text, fileName };
  const read = text.length <= shortText ? jobs.symbols(job) : await workshop.run('symbols', job, signal);
  if (!read) return undefined;
  await nextTurn();
  return unpacked(read);
}

/** The annotations of a source, with the addresses that symbols and lines of its program give them. */
export async function scanAnnotationsSafely(
  text: string,
  file: string,
  program: { readonly symbols: readonly FileSymbol[]; readonly lines: readonly FileLine[] },
  signal: AbortSignal,
): Promise<readonly Annotation[]> {
  refuseLong(file, text);
  if (!text.includes('@mcp-')) return [];
  const job = { text, file, symbols: program.symbols, lines: packLines(program.lines) };
  if (text.length <= shortText) return jobs.annotations(job);
  return workshop.run('annotations', job, signal).catch((error: unknown) => {
    if (!(error instanceof Error) || !error.message.endsWith('is the limit')) throw error;
    throw new MachineError('LIMIT_REACHED', `${file}: ${error.message}.`, 'Divide it, or leave out some.');
  });
}

type Unpacked<Read> = Omit<Read, 'lines'> & { readonly lines: readonly FileLine[] };

function unpacked<Read extends { readonly lines: PackedLines }>(read: Read): Unpacked<Read> {
  return { ...read, lines: unpackLines(read.lines) };
}

function refuseLong(name: string, { length }: string): void {
  if (length <= longestText) return;
  const message = `${name} has ${length} characters, and ${longestText} is the limit.`;
  throw new MachineError('LIMIT_REACHED', message, 'Split it into smaller parts.');
}

/** Brackets within brackets, without end: there is no line to name. */
function problem(name: string, error: unknown): unknown {
  const isTooDeep = error instanceof Error && /call stack/.test(error.message);
  if (!isTooDeep) return error;
  return new MachineError('INVALID_ARGUMENT', `${name} is nested too deeply.`, 'Write it with fewer levels.');
}
