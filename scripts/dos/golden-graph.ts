import { Decoder } from '../../src/chips/x86/decode.ts';
import { type PlainBlock, segmented } from './plain-blocks.ts';

interface GoldenBlock {
  readonly id: number;
  readonly entry: string;
  readonly term: string;
  readonly dead?: boolean;
  readonly succ: readonly number[];
  readonly asm: readonly string[];
}

/** A graph as Spice86 writes it out. */
export interface GoldenGraph {
  readonly entryPointAddresses: readonly string[];
  readonly blocks: readonly GoldenBlock[];
}

/**
 * The executed part of a golden graph. It shows code that never ran too: `taken` has the ways that a run took, as
 * `F000:0000 -> F000:0003`.
 */
export function executedPart({ blocks, entryPointAddresses }: GoldenGraph, taken: ReadonlySet<string>): PlainBlock[] {
  const visited = new Set([...taken].map((way) => way.split(' ').at(-1)));
  const listed = blocks.map((block) => ({ ...block, lines: linesOf(block) }));
  const byId = new Map(listed.map((block) => [block.id, block]));
  const behindSelector = new Set(listed.filter(({ asm }) => asm.at(-1) === 'selector').flatMap(({ succ }) => succ));
  const isGuess = (line: string, block: GoldenBlock) =>
    block.dead === true && !behindSelector.has(block.id) && !visited.has(line.split(' ')[0]);
  return listed.flatMap((block) => {
    const lines = block.lines.filter((line) => !isGuess(line, block));
    if (lines.length === 0) return [];
    const isWhole = lines.length === block.lines.length;
    const successors = (isWhole ? block.succ : []).flatMap((id) => {
      const to = byId.get(id);
      const first = to?.lines[0];
      return to && first !== undefined && !isGuess(first, to) ? [first] : [];
    });
    const isEntry = entryPointAddresses.includes(block.entry);
    return [{ lines, successors, dead: isWhole && block.dead === true, isEntry }];
  });
}

function linesOf({ entry, asm }: GoldenBlock): string[] {
  const [cs, start] = parts(entry);
  let ip = start;
  return asm.map((line) => {
    const [bytes = ''] = line.split('|');
    const at = segmented(cs, ip & 0xffff);
    if (bytes !== 'selector') ip += bytes.length / 2;
    return `${at} ${bytes}`;
  });
}

/** True for a way that a conditional jump could take and never took. */
export function isUntaken(from: string, to: string, taken: ReadonlySet<string>): boolean {
  const [place = '', bytes = ''] = from.split(' ');
  const [target = ''] = to.split(' ');
  if (bytes === 'selector' || taken.has(`${place} -> ${target}`)) return false;
  const [cs, ip] = parts(place);
  const code = bytes.replace(/__/g, '00').match(/../g) ?? [];
  const byteAt = (linear: number) => Number.parseInt(code[linear - (cs << 4) - ip] ?? '0', 16);
  const node = new Decoder('80386', byteAt).decode(cs, ip);
  const { mnemonic } = node.form;
  const branches = mnemonic !== 'call' && mnemonic !== 'jmp' && node.operands.some(({ kind }) => kind === 'target');
  return branches && (target === segmented(cs, node.next & 0xffff) || target === segmented(cs, node.target));
}

function parts(address: string): [cs: number, ip: number] {
  const [cs = 0, ip = 0] = address.split(':').map((part) => Number.parseInt(part, 16));
  return [cs, ip];
}
