import { MachineError } from '../../machine/errors.ts';
import type { MachineWith } from '../../machine/machine.ts';
import type { TimeSlice } from '../../machines/shared/time-slice.ts';
import { peekMany } from '../debug/peek-many.ts';
import type { Known } from './exported-program.ts';

/** Shorter ones are code or chance. */
const run = /[\t\r\n\x20-\x7e]{5,}/g;
const printable = /[\x20-\x7e]{4,}/;
const mostBytes = 0x100000n;

/** All that is known of what ran: functions, names, code, references, and the texts of the program. */
export async function knownProgram(machine: MachineWith<'names' | 'memory'>, slice: TimeSlice): Promise<Known> {
  const { names, functions, graph } = machine;
  if (graph === undefined) {
    throw new MachineError('MISSING_CAPABILITY', 'This machine keeps no graph.', 'Export something else.');
  }
  const flow = await graph.read();
  const code = new Set<bigint>();
  for (const block of flow.blocks.values()) {
    if (slice.isOver) await slice.next();
    for (const { address, bytes } of block.instructions()) {
      for (let at = 0; at < bytes.length; at++) code.add(address + BigInt(at));
    }
  }
  const runs = (await textRuns(machine, slice)).filter(({ address }) => !code.has(address));
  const starts = new Set(runs.flatMap(startsIn));
  const references = (await graph.allDataReferences?.(starts)) ?? [];
  const used = new Set(references.map(({ target }) => target));
  return {
    program: names.program,
    places: await names.list(),
    functions: (await functions?.list()) ?? [],
    graph: flow,
    references,
    texts: runs.flatMap((run) => divided(run, used)),
  };
}

interface Text {
  readonly address: bigint;
  readonly length: number;
  readonly text: string;
}

/** Characters and ends of lines in the memory of the program that runs. */
async function textRuns(
  { names: { program }, memory }: MachineWith<'names' | 'memory'>,
  slice: TimeSlice,
): Promise<readonly Text[]> {
  const [space] = memory.spaces;
  if (program === undefined || space === undefined) return [];
  const first = program.image ?? program.first;
  const whole = program.last - first + 1n;
  const length = Number(whole < mostBytes ? whole : mostBytes);
  const bytes = Buffer.from(await peekMany(memory, space.name, first, length, slice));
  return [...bytes.toString('latin1').matchAll(run)].map(({ 0: text, index }) => ({
    address: first + BigInt(index),
    length: text.length,
    text,
  }));
}

/** Where a text may begin: at the start, and after what ends one. */
function startsIn({ address, text }: Text): readonly bigint[] {
  return [address, ...[...text.matchAll(/[$\r\n]/g)].map(({ index }) => address + BigInt(index) + 1n)];
}

/** Texts that follow each other are told apart by who refers to them, and by the "$" that ends them for DOS. */
function divided(whole: Text, used: ReadonlySet<bigint>): readonly Text[] {
  const cuts = startsIn(whole).filter(
    (start) => start === whole.address || used.has(start) || isAfterEnd(whole.text, Number(start - whole.address)),
  );
  return cuts
    .map((start, index) => {
      const at = Number(start - whole.address);
      const end = index + 1 < cuts.length ? Number((cuts[index + 1] ?? 0n) - whole.address) : whole.length;
      return { address: start, length: end - at, text: whole.text.slice(at, end) };
    })
    .filter(({ text }) => printable.test(text));
}

/** A "$" ends a text where the last one ends so too, or after the end of a line; before a number or a blank it is money. */
function isAfterEnd(text: string, at: number): boolean {
  return text[at - 1] === '$' && !/[\d ]/.test(text[at] ?? '') && (text.endsWith('$') || text[at - 2] === '\n');
}
