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

type Lines = Pick<CommodoreSymbols, 'lineAddress' | 'source'>;

/** Where something that was put at a line of source belongs, after sources were read again. */
export function lineNow(lines: Lines, wanted: string, before: Before): Now {
  const { address, problem } = find(lines, wanted);
  if (address === undefined) {
    const isNews = before.line !== undefined;
    const note = `stays at ${hexWord(before.address)}: ${problem ?? `no source with ${wanted} is known any more`}`;
    return { address: before.address, ...(isNews && { note }) };
  }
  const now = lines.source(address);
  const where =
    address === before.address ? `at ${hexWord(address)}` : `${hexWord(before.address)} to ${hexWord(address)}`;
  const number = Number(/\d+$/.exec(wanted)?.[0]);
  if (now !== undefined && now.line !== number && now.line !== before.line?.line) {
    return { address, note: `has moved on to line ${now.line}, since ${wanted} has no code now: ${where}` };
  }
  const isOther = now?.text !== undefined && before.line?.text !== undefined && now.text !== before.line.text;
  const text = isOther ? `, which was "${before.line?.text}" and is "${now.text}" now` : '';
  if (address === before.address && !isOther) return { address };
  const stays = address === before.address ? 'stays at' : 'moved with';
  return { address, note: `${stays} ${wanted}${text}: ${where}` };
}

function find(lines: Lines, wanted: string): { readonly address?: bigint | undefined; readonly problem?: string } {
  try {
    return { address: lines.lineAddress(wanted) };
  } catch (error) {
    if (!(error instanceof MachineError)) throw error;
    return { problem: error.message.replace(/\.$/, '') };
  }
}
