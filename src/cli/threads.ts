import { randomUUID } from 'node:crypto';
import type { ThreadStart, Threads } from '../fleet/threads/threads.ts';
import type { OperatorPlaces } from '../host/files/operator-files.ts';
import { builtInKinds } from '../machines/index.ts';
import { clearRow, newPool, type PoolData } from '../machines/shared/history-pool.ts';
import type { ConfigSections } from './config-sections.ts';
import type { Log } from './log.ts';
import { type EarlyThread, newThread } from './new-thread.ts';
import type { OptionValues } from './options.ts';

/** What a thread needs to keep machines as this process would: everything that was said at the start. */
export interface ThreadWorld {
  readonly options: OptionValues;
  readonly sections: ConfigSections;
  readonly env: NodeJS.ProcessEnv;
  readonly self: { readonly version: string; readonly command: readonly string[] };
  readonly runtimeDir: string;
  /** Folders with programs that were named at the start. */
  readonly programs: readonly string[];
  readonly operators: OperatorPlaces;
}

export interface ThreadData extends ThreadWorld {
  readonly start: ThreadStart;
  /** Where threads tell each other what their machines remember, and which row of it is this one's. */
  readonly history: { readonly pool: PoolData; readonly row: number };
}

/** Nothing of it is loaded where there are no threads. */
export async function openThreads(world: ThreadWorld, log: Log, early?: EarlyThread): Promise<Threads> {
  const { Threads: Opened } = await import('../fleet/threads/threads.ts');
  const most = world.options.threads;
  const pool = newPool(most, `frontpanel-history-${randomUUID()}`);
  const rows = new Set(Array.from({ length: most }, (_, row) => row));
  return new Opened({
    most,
    kinds: new Set(builtInKinds.map(({ kind }) => kind)),
    start(start) {
      const [row = 0] = rows;
      rows.delete(row);
      const worker = early?.take() ?? newThread();
      const sections = { ...world.sections, tokens: [] };
      const data: ThreadData = { ...world, sections, env: { ...world.env }, start, history: { pool, row } };
      worker.postMessage(data);
      worker.once('exit', () => {
        clearRow(pool.rows, row);
        rows.add(row);
      });
      return worker;
    },
    log: (level, text) => log(level === 'debug' || level === 'info' ? level : 'error', text),
  });
}
