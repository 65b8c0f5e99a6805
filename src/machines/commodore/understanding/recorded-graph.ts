import { disassemble } from '../../../chips/mos6510/disassemble.ts';
import { type Opcode, opcodes } from '../../../chips/mos6510/opcodes.ts';
import { hexWord } from '../../../formats/hex.ts';
import type { CodePlace } from '../../../machine/functions.ts';
import type { Block, BlockInstruction, Edge, FlowGraph } from '../../../machine/graph.ts';
import { TimeSlice } from '../../shared/time-slice.ts';
import { addressOfId, type CodeId, type CodeRecorder } from './code-recorder.ts';

/** How the instructions of a block are read from memory now. */
export interface CodeReader {
  peek(id: CodeId): number;
  nameOf(address: number): string | undefined;
}

export function placeOfId(id: CodeId): CodePlace {
  const address = addressOfId(id);
  return { address: BigInt(address), where: hexWord(address) };
}

export function lengthAt({ opcodes: codes }: CodeRecorder, id: CodeId): number {
  return (opcodes[codes[id] as number] as Opcode).length;
}

/** The blocks that the recorded instructions make. Their ids are the places of their first instructions. */
export async function recordedGraph(recorder: CodeRecorder, reader: CodeReader): Promise<FlowGraph> {
  const slice = new TimeSlice();
  const outOf = edgesByPlace(recorder);
  const blocks = new Map<number, Block>();
  const begins = beginnings(recorder, outOf);
  for (const first of begins) {
    if (slice.isOver) await slice.next();
    const ids = [first];
    for (let id = first; ; ) {
      const next = id + lengthAt(recorder, id);
      const goesOn = outOf.get(id) === undefined && recorder.passedOn[id] !== 0;
      if (!goesOn || begins.has(next) || recorder.executions[next] === 0) break;
      ids.push(next);
      id = next;
    }
    blocks.set(first, blockOf(ids, recorder, outOf, reader));
  }
  const [entry = 0] = recorder.entries;
  const { handlers, last } = recorder;
  return {
    blocks,
    entryPoints: [...recorder.entries].map(placeOfId),
    context: { depth: handlers.length, entry: placeOfId(handlers.at(-1) ?? entry) },
    ...(last !== undefined && { lastExecuted: placeOfId(last) }),
  };
}

/** Edges other than to the next instruction in memory. */
function edgesByPlace({ edges }: CodeRecorder): ReadonlyMap<CodeId, readonly Edge[]> {
  const found = new Map<CodeId, Edge[]>();
  for (const { type, from, to, count } of edges.values()) {
    const list = found.get(from);
    if (list) list.push({ type, to, count });
    else found.set(from, [{ type, to, count }]);
  }
  return found;
}

/** Where blocks begin: at entries, where edges lead, and after instructions that lead to several places. */
function beginnings(recorder: CodeRecorder, outOf: ReadonlyMap<CodeId, readonly Edge[]>): ReadonlySet<CodeId> {
  const found = new Set<CodeId>();
  const reached = new Set<CodeId>();
  for (const edges of outOf.values()) for (const { to } of edges) found.add(to);
  for (const entry of recorder.entries) found.add(entry);
  for (let id = 0; id < recorder.executions.length; id++) {
    if (recorder.executions[id] === 0 || recorder.passedOn[id] === 0) continue;
    const next = id + lengthAt(recorder, id);
    if (outOf.has(id)) found.add(next);
    else reached.add(next);
  }
  // Whatever else has run was reached by nothing that was seen, as after a return from an interrupt.
  for (let id = 0; id < recorder.executions.length; id++) {
    if (recorder.executions[id] !== 0 && !reached.has(id)) found.add(id);
  }
  for (const id of found) if (recorder.executions[id] === 0) found.delete(id);
  return found;
}

function blockOf(
  ids: readonly CodeId[],
  recorder: CodeRecorder,
  outOf: ReadonlyMap<CodeId, readonly Edge[]>,
  reader: CodeReader,
): Block {
  const first = ids[0] as CodeId;
  const last = ids.at(-1) as CodeId;
  const next = last + lengthAt(recorder, last);
  const count = recorder.passedOn[last] ?? 0;
  const edges = [
    ...(count > 0 && recorder.executions[next] !== 0 ? [{ type: 'normal' as const, to: next, count }] : []),
    ...(outOf.get(last) ?? []).filter(({ to }) => recorder.executions[to] !== 0),
  ];
  return {
    id: first,
    kind: 'code',
    ...placeOfId(first),
    bytes: next - first,
    last: placeOfId(last),
    executions: recorder.executions[first] ?? 0,
    edges,
    instructions: () => ids.map((id) => instructionAt(id, lengthAt(recorder, id), reader)),
  };
}

function instructionAt(id: CodeId, length: number, { peek, nameOf }: CodeReader): BlockInstruction {
  const bytes = Uint8Array.from({ length }, (_, offset) => peek(id + offset));
  return { ...placeOfId(id), bytes, text: disassemble(bytes, addressOfId(id), nameOf).text };
}
