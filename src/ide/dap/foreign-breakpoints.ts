import { hex0x } from '../../formats/hex.ts';
import { type Data, wide } from '../debugged-machine.ts';
import type { DapBreakpoints } from './dap-breakpoints.ts';
import type { DapThread } from './dap-thread.ts';
import type { SourcePaths } from './source-paths.ts';

/** Above every number that a session of an IDE gives. */
const firstForeignId = 1_000_000;
const idsPerThread = 100_000;

interface Listed {
  readonly id: number;
  readonly type: string;
  readonly address: number | string;
  readonly temporary: boolean;
}

/** Breakpoints of others, so that the IDE can show them. */
export class ForeignBreakpoints {
  readonly #own: DapBreakpoints;
  readonly #paths: SourcePaths;
  readonly #shown = new WeakMap<DapThread, Set<number>>();

  constructor(own: DapBreakpoints, paths: SourcePaths) {
    this.#own = own;
    this.#paths = paths;
  }

  /** Bodies of `breakpoint` events for what came and went since the last time. */
  async changes(thread: DapThread): Promise<readonly Data[]> {
    const { breakpoints } = await thread.machine.call('breakpoint_list');
    const others = (breakpoints as Listed[]).filter(({ id, temporary }) => !temporary && !this.#own.idOf(thread, id));
    const shown = this.#shown.get(thread) ?? new Set<number>();
    this.#shown.set(thread, shown);
    const bodies: Data[] = [];
    for (const id of [...shown]) {
      if (others.some((each) => each.id === id)) continue;
      shown.delete(id);
      bodies.push({ reason: 'removed', breakpoint: { id: numberOf(thread, id), verified: false } });
    }
    for (const each of others) {
      if (shown.has(each.id)) continue;
      shown.add(each.id);
      bodies.push({ reason: 'new', breakpoint: await this.#described(thread, each) });
    }
    return bodies;
  }

  async #described(thread: DapThread, { id, type, address }: Listed): Promise<Data> {
    const known = {
      id: numberOf(thread, id),
      verified: true,
      message: `${type} breakpoint ${id} of ${thread.machine.handle}`,
    };
    if (type !== 'exec') return known;
    const reference = hex0x(wide(address));
    const { instructions } = await thread.machine.call('instructions_read', { address: reference, count: 1 });
    const [{ file, line } = {}] = instructions as { file?: string | null; line?: number | null }[];
    const source = file && line ? { source: { path: this.#paths.absolute(file) }, line } : {};
    return { ...known, instructionReference: reference, ...source };
  }
}

function numberOf(thread: DapThread, id: number): number {
  return firstForeignId + thread.id * idsPerThread + id;
}
