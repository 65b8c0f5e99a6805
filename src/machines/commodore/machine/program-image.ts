import { relinked } from '../../../formats/commodore/basic/relinked.ts';
import { readP00 } from '../../../formats/commodore/media/p00.ts';
import { writePrg } from '../../../formats/commodore/media/prg.ts';
import { readT64 } from '../../../formats/commodore/media/t64.ts';
import type { Annotation } from '../../../formats/commodore/symbols/annotation.ts';
import type { FileBreakpoint, FileLine } from '../../../formats/commodore/symbols/symbol-file.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { ProgramSource } from '../../../machine/program.ts';
import type { SourceSymbol } from '../symbols/commodore-symbols.ts';
import { assembleSafely, tokeniseSafely } from '../workshop/read-safely.ts';
import { readable } from './readable-media.ts';

/** A program with its load address before it, and what its source tells of it. */
export interface ProgramImage {
  readonly bytes: Uint8Array;
  readonly symbols?: readonly SourceSymbol[];
  readonly lines?: readonly FileLine[];
  readonly annotations?: readonly Annotation[];
  readonly breakpoints?: readonly FileBreakpoint[];
  readonly text?: string;
  readonly warnings?: readonly string[];
}

/** What programs are made for. */
interface Target {
  readonly name: string;
  readonly basicStart: number;
  readonly formats: readonly string[];
}

/** What lies in memory when this is loaded. */
export async function programImage(source: ProgramSource, target: Target, signal: AbortSignal): Promise<ProgramImage> {
  switch (source.format) {
    case 'prg':
      return { bytes: source.bytes };
    case 'p00':
      return { bytes: readable(source.name, () => readP00(source.bytes)).bytes };
    case 't64': {
      const { files } = readable(source.name, () => readT64(source.bytes));
      const { index = 0 } = source;
      const wanted = files[index];
      if (!wanted) {
        const message = `${source.name} holds no file${source.index === undefined ? '' : ` ${index}`}.`;
        const fix = files.length === 0 ? 'Use another one.' : `Use 0 to ${files.length - 1}.`;
        throw new MachineError('INVALID_ARGUMENT', message, fix);
      }
      const which = index === 0 ? 'the first' : `number ${index}`;
      return { bytes: writePrg(wanted), warnings: files.length > 1 ? [`${which} of ${files.length} files`] : [] };
    }
    case 'asm':
    case 's':
      return assembled(new TextDecoder().decode(source.bytes), source.name, signal);
    case 'basic':
    case 'bas': {
      const text = new TextDecoder().decode(source.bytes);
      const { bytes, errors } = await tokeniseSafely(text, source.name, signal);
      refuseErrors('BASIC', errors);
      return { bytes: movedBasic(bytes, target.basicStart) };
    }
    default:
      if (target.formats.includes(source.format)) throw noSuchImage(source);
      throw new MachineError(
        'INVALID_ARGUMENT',
        `A ${target.name} cannot load ${source.format} files.`,
        `It loads: ${target.formats.join(', ')}.`,
      );
  }
}

/** Its name says what it is, and its bytes say otherwise. */
function noSuchImage({ name, format, bytes }: ProgramSource): MachineError {
  return new MachineError(
    'INVALID_ARGUMENT',
    `${name} is not a ${format.toUpperCase()} image: its size of ${bytes.length} bytes is wrong.`,
    'The file is damaged, or not what its name says; use another one.',
  );
}

/** A tokenised program, which begins where it does on a C64, for a machine on which it begins elsewhere. */
function movedBasic(bytes: Uint8Array, start: number): Uint8Array {
  if (bytes[0] === (start & 255) && bytes[1] === start >> 8) return bytes;
  return Uint8Array.of(start & 255, start >> 8, ...relinked(bytes.subarray(2), start));
}

async function assembled(text: string, fileName: string, signal: AbortSignal): Promise<ProgramImage> {
  const { origin, bytes, errors, warnings, ...told } = await assembleSafely(text, fileName, signal);
  const isBasic = /^\s*\d+[ \t]+[a-z?]/i.test(text);
  refuseErrors('Assembler', errors, isBasic ? 'Lines with numbers are BASIC: add "language":"basic".' : undefined);
  return {
    bytes: Uint8Array.of(origin & 255, origin >> 8, ...bytes),
    ...told,
    text,
    warnings: warnings.slice(0, 5).map(({ line, message }) => `line ${line}: ${message}`),
  };
}

function refuseErrors(
  what: string,
  errors: readonly { readonly line: number; readonly column: number; readonly message: string }[],
  fix = 'Fix these lines and call again.',
): void {
  if (errors.length === 0) return;
  const list = errors.slice(0, 10).map(({ line, column, message }) => `${line}:${column} ${message}`);
  throw new MachineError('INVALID_ARGUMENT', `${what}: ${list.join('\n')}`, fix, { errors });
}

export function isText(format: string): boolean {
  return ['asm', 's', 'basic', 'bas'].includes(format);
}
