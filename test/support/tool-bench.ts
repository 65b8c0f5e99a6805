import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ToolHost } from '../../src/api/tool-host.ts';
import { parseCommandLine } from '../../src/cli/parse.ts';
import type { ThreadData } from '../../src/cli/threads.ts';
import { Threads } from '../../src/fleet/threads/threads.ts';
import type { Kind } from '../../src/machine/kind.ts';
import { builtInKinds } from '../../src/machines/index.ts';
import { newPool } from '../../src/machines/shared/history-pool.ts';
import type { RackLimits, RackServices } from '../../src/rack/rack.ts';
import { LocalToolHost } from '../../src/station/local-tool-host.ts';
import { Confirmations } from '../../src/tools/confirmations.ts';
import { tools } from '../../src/tools/index.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { makeRack, settings as usual } from '../make-rack.ts';

export interface BenchOptions {
  readonly limits?: Partial<RackLimits>;
  readonly services?: Partial<RackServices>;
  /** Without it as many as FRONTPANEL_THREADS says: the tests of tools pass with machines in threads and without. */
  readonly threads?: number;
  bug?(error: unknown): void;
  worker?(worker: Worker): void;
}

/** For tests that look into a machine past its tools. */
export const here: BenchOptions = { threads: 0 };

/** All tools, on machines in this thread or in others, as `--threads` has them. */
export class ToolBench {
  readonly toolbox: Toolbox;
  readonly host: ToolHost;
  readonly threads: Threads | undefined;
  readonly #runtimeDir: string;

  constructor(kinds: readonly Kind[], options: BenchOptions = {}) {
    const { limits, services, threads: most = threadsOf(services), bug = () => {} } = options;
    const runtimeDir = mkdtempSync(join(tmpdir(), 'fp-'));
    this.#runtimeDir = runtimeDir;
    const rack = makeRack(kinds, limits, { runtimeDir, ...services });
    const confirmations = new Confirmations(false, () => 'none');
    this.threads = most > 0 ? threadsFor(kinds, most, runtimeDir, options) : undefined;
    this.threads?.join(rack);
    this.toolbox = new Toolbox(tools, ['all'], rack, confirmations, bug, this.threads?.elsewhere);
    const local = new LocalToolHost(this.toolbox);
    const parts = {
      ...{ rack, toolbox: this.toolbox },
      debugPorts() {
        throw new Error('there are none');
      },
      dropped: (path: string) => rack.files.read(path, 1_000_000),
      writeAudit() {},
    };
    this.host = this.threads?.open(local, parts) ?? local;
  }

  async close(): Promise<void> {
    await this.threads?.close();
    await this.toolbox.rack.close();
    rmSync(this.#runtimeDir, { recursive: true, force: true });
  }
}

/** A thread is told in words of the command line what its machines are given: other objects would stay here. */
function threadsOf(services: Partial<RackServices> = {}): number {
  const others = Object.keys(services).filter((name) => name !== 'settings');
  return others.length === 0 ? Number(process.env.FRONTPANEL_THREADS ?? 0) : 0;
}

function threadsFor(
  kinds: readonly Kind[],
  most: number,
  runtimeDir: string,
  { limits, services, bug, worker }: BenchOptions,
): Threads {
  const { romFolders: roms = ['own'], maxAnnotations } = services?.settings ?? usual;
  const { traceBytes: maxTraceBytes = 10_000_000 } = limits ?? {};
  const given = parseCommandLine(['--threads', String(most), '--allow-path', '/'], {}, () => undefined);
  const options = { ...given.options, roms, maxAnnotations, maxTraceBytes };
  const sections = { tokens: [], consoles: {}, consoleCommands: {}, leftOut: [] };
  const self = { version: '1', command: [] };
  const world = { options, sections, self, env: {}, runtimeDir, programs: [] };
  const pool = newPool(64, runtimeDir);
  let rows = 0;
  return new Threads({
    most,
    kinds: new Set(builtInKinds.filter((kind) => kinds.includes(kind)).map(({ kind }) => kind)),
    log: (level, text) => level === 'error' && bug?.(new Error(text)),
    start(start) {
      const operators = { paths: [], logs: [], names: [] };
      const data: ThreadData = { ...world, operators, start, history: { pool, row: rows++ } };
      const started = new Worker(new URL('../../dist/machines-worker.js', import.meta.url), {
        execArgv: [],
      });
      started.postMessage(data);
      worker?.(started);
      return started;
    },
  });
}
