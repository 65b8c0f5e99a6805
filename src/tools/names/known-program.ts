import { MachineError } from '../../machine/errors.ts';
import type { MachineWith } from '../../machine/machine.ts';
import type { TimeSlice } from '../../machines/shared/time-slice.ts';
import { textsIn } from '../debug/memory-views.ts';
import { peekMany } from '../debug/peek-many.ts';
import type { Known } from './exported-program.ts';

/** Shorter ones are code or chance. */
const shortestText = 5;
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
  const texts = (await programTexts(machine, slice)).filter(({ address }) => !code.has(address));
  const starts = new Set(texts.map(({ address }) => address));
  return {
    program: names.program,
    places: await names.list(),
    functions: (await functions?.list()) ?? [],
    graph: flow,
    references: (await graph.allDataReferences?.(starts)) ?? [],
    texts,
  };
}

/** Texts in the memory of the program that runs. */
async function programTexts({ names: { program }, memory }: MachineWith<'names' | 'memory'>, slice: TimeSlice) {
  const [space] = memory.spaces;
  if (program === undefined || space === undefined) return [];
  const first = program.image ?? program.first;
  const whole = program.last - first + 1n;
  const length = Number(whole < mostBytes ? whole : mostBytes);
  const bytes = await peekMany(memory, space.name, first, length, slice);
  return textsIn(bytes, shortestText).map(({ index, text }) => ({
    address: first + BigInt(index),
    length: text.length,
    text,
  }));
}
