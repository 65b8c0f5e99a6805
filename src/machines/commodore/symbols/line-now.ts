import type { FileLine } from '../../../formats/commodore/symbols/symbol-file.ts';
import { hexWord } from '../../../formats/hex.ts';
import type { SourceLine } from '../../../machine/addresses.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { CommodoreSymbols } from './commodore-symbols.ts';

interface Before {
  readonly address: bigint;
  /** Undefined where nothing was known of the line. */
  readonly line: SourceLine | undefined;
}

interface Now {
  readonly address: bigint;
  /** What has changed, to follow "breakpoint 3". */
  readonly note?: string;
}

type Lines = Pick<CommodoreSymbols, 'lineMeant' | 'source'>;

/** Where something that was put at a line of source belongs, after sources were read again. */
export function lineNow(lines: Lines, wanted: string, before: Before): Now {
  const { meant, problem } = find(lines, wanted);
  if (meant === undefined) {
    const isNews = before.line !== undefined;
    const note = `stays at ${hexWord(before.address)}: ${problem ?? `no source with ${wanted} is known any more`}`;
    return { address: before.address, ...(isNews && { note }) };
  }
  const address = BigInt(meant.address);
  const now = lines.source(address);
  const where =
    address === before.address ? `at ${hexWord(address)}` : `${hexWord(before.address)} to ${hexWord(address)}`;
  const number = Number(/\d+$/.exec(wanted)?.[0]);
  if (meant.line !== number && meant.line !== before.line?.line) {
    return { address, note: `has moved on to line ${meant.line}, since ${wanted} has no code now: ${where}` };
  }
  const isOther = now?.text !== undefined && before.line?.text !== undefined && now.text !== before.line.text;
  const text = isOther ? `, which was "${before.line?.text}" and is "${now.text}" now` : '';
  if (address === before.address && !isOther) return { address };
  const stays = address === before.address ? 'stays at' : 'moved with';
  return { address, note: `${stays} ${wanted}${text}: ${where}` };
}

function find(lines: Lines, wanted: string): { readonly meant?: FileLine | undefined; readonly problem?: string } {
  try {
    return { meant: lines.lineMeant(wanted) };
  } catch (error) {
    if (!(error instanceof MachineError)) throw error;
    return { problem: error.message.replace(/\.$/, '') };
  }
}
