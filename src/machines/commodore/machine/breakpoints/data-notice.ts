import { hexWord } from '../../../../formats/hex.ts';
import type { Breakpoint, BreakpointTree } from '../../../../machine/breakpoints.ts';
import type { CommodoreBoard } from '../../board/commodore-board.ts';

interface Place {
  readonly type: string;
  readonly address: bigint;
}

interface Surroundings {
  readonly board: Pick<CommodoreBoard, 'chipsReached'>;
  dataAt(address: number): string | undefined;
}

/** An instruction is waited for where something else is: it may still come there, but that is worth a look. */
export function withDataNotice(breakpoint: Breakpoint, around: Surroundings): Breakpoint {
  const { cpu, tree, notice: other } = breakpoint;
  if (cpu !== undefined) return breakpoint;
  const found = (tree ? placesIn(tree) : [breakpoint]).flatMap((place) => noticeOf(place, around) ?? []);
  if (found.length === 0) return breakpoint;
  return { ...breakpoint, notice: [...(other === undefined ? [] : [other]), ...new Set(found)].join('; ') };
}

function placesIn(tree: BreakpointTree): readonly Place[] {
  if (tree.operator !== undefined) return tree.of.flatMap(placesIn);
  return tree.type === undefined ? [] : [tree];
}

function noticeOf({ type, address }: Place, { board, dataAt }: Surroundings): string | undefined {
  if (type !== 'exec') return undefined;
  const at = Number(address);
  const data = dataAt(at);
  if (data !== undefined)
    return `${hexWord(at)} is ${data}: it stops only if that is executed, "write" waits for a change`;
  const [chip] = board.chipsReached('read', at);
  if (chip) return `${hexWord(at)} is a register of ${chip.chip} at present: it stops only if code is executed there`;
  return undefined;
}
