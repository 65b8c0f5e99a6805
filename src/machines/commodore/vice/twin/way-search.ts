import { fields as cpu } from '../../../../chips/mos6510/registers.ts';
import type { TwinInstruction } from '../../../../machine/twin.ts';
import { type BoardTwin, describeRegisters } from './board-twin.ts';
import { type HistoryLine, readHistory } from './cpu-history.ts';

const shownBefore = 6;
/** How far each may go alone before both are together again, and for how many instructions they have to be. */
const mostAlone = 300;
const together = 6;
/** What was another value in a register is one in memory after them. */
const stores = /\b(?:ST[AXY]|SAX|PHA)\b/;

/**
 * Where the ways of two machines part that are not in the same cycle: an interrupt comes some instructions earlier on one of them, or a loop that waits goes
 * round once more, after which they go on together. Ours is where VICE was before the first line of its history.
 */
export function whereWaysPart(
  twin: BoardTwin,
  history: string,
  from: number,
  until: number,
): TwinInstruction | undefined {
  const theirs = readHistory(history).filter(({ time }) => time >= from && time < until);
  const ours = waysOf(twin, theirs.length + mostAlone);
  let parted: TwinInstruction | undefined;
  let [i, j] = [0, 0];
  const isSame = (a: number, b: number) => {
    const [their, our] = [theirs[a], ours[b]];
    return their !== undefined && our?.agrees(their) === true;
  };
  while (i < theirs.length && j < ours.length) {
    if (isSame(i, j)) {
      i++;
      j++;
      continue;
    }
    parted ??= placeOf(theirs, i, ours[j] as Way);
    const again = meetAgain(i, j, isSame);
    if (!again && i + together < theirs.length) return placeOf(theirs, i, ours[j] as Way);
    const [nextI, nextJ] = again ?? [theirs.length, ours.length];
    const ourStores = indexesOfStores(ours, j, nextJ);
    for (const [index, at] of indexesOfStores(theirs, i, nextI).entries()) {
      const our = ours[ourStores[index] ?? ours.length];
      const their = theirs[at];
      if (our && their?.pc === our.pc && !our.agrees(their)) return placeOf(theirs, at, our);
    }
    [i, j] = [nextI, nextJ];
  }
  return parted;
}

interface Way {
  readonly pc: number;
  readonly text: string;
  readonly line: number;
  readonly cycle: number;
  agrees(line: HistoryLine): boolean;
}

/** What ours does from here on, one instruction after the other. */
function waysOf(twin: BoardTwin, count: number): readonly Way[] {
  const { board } = twin;
  const ways: Way[] = [];
  for (let left = count; left > 0; left--) {
    const { registers } = twin;
    const way = { pc: registers.pc, text: twin.describe(), line: board.rasterLine, cycle: board.rasterCycle };
    const interrupts = board.cpu.state[cpu.irqCount];
    if (!board.stepInstruction()) break;
    // VICE lists none that an interrupt has come before.
    if (board.cpu.state[cpu.irqCount] === interrupts)
      ways.push({ ...way, agrees: (line) => twin.areSame(registers, line) });
  }
  return ways;
}

function indexesOfStores(ways: readonly { readonly text: string }[], from: number, until: number): readonly number[] {
  const found: number[] = [];
  for (let at = from; at < until; at++) if (stores.test(ways[at]?.text ?? '')) found.push(at);
  return found;
}

/** The nearest place at which both do the same for a while. */
function meetAgain(i: number, j: number, isSame: (i: number, j: number) => boolean): [number, number] | undefined {
  for (let alone = 1; alone <= mostAlone; alone++) {
    for (let ofTheirs = 0; ofTheirs <= alone; ofTheirs++) {
      const at: [number, number] = [i + ofTheirs, j + alone - ofTheirs];
      let length = 0;
      while (length < together && isSame(at[0] + length, at[1] + length)) length++;
      if (length === together) return at;
    }
  }
  return undefined;
}

function placeOf(theirs: readonly HistoryLine[], i: number, our: Way): TwinInstruction {
  const line = theirs[i] as HistoryLine;
  return {
    time: line.time,
    line: our.line,
    cycle: our.cycle,
    theirs: describeRegisters(line, line.text),
    ours: our.text,
    before: theirs.slice(Math.max(0, i - shownBefore), i).map((each) => describeRegisters(each, each.text)),
  };
}
