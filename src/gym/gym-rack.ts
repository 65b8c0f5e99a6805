import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSnapshotFile, writeSnapshotFile } from '../formats/snapshot/snapshot-file.ts';
import { AllowedFiles } from '../host/files/allowed-files.ts';
import { OperatorPolicy } from '../host/policy/operator-policy.ts';
import { ProcessGuard } from '../host/process-guard.ts';
import type { Machine } from '../machine/machine.ts';
import { kinds } from '../machines/index.ts';
import { Rack } from '../rack/rack.ts';
import { programFile } from '../tools/debug/program-file.ts';
import { startFromSnapshot } from '../tools/start-from-snapshot.ts';
import { checkedOptions } from './problem-text.ts';
import type { VectorSpec } from './vector-spec.ts';

/** The machines of one thread, without anybody who calls tools. */
export class GymRack {
  readonly rack: Rack;
  readonly #spec: VectorSpec;
  readonly #folder: string;
  readonly #guard: ProcessGuard;
  readonly #closed = new AbortController();
  /** It is closed, or nobody wants it any more. */
  readonly signal: AbortSignal;

  private constructor(spec: VectorSpec, folder: string, signal: AbortSignal | undefined) {
    this.signal = signal ? AbortSignal.any([this.#closed.signal, signal]) : this.#closed.signal;
    this.#spec = spec;
    this.#folder = folder;
    const guard = new ProcessGuard();
    this.#guard = guard;
    this.rack = new Rack(
      kinds,
      {
        runtimeDir: folder,
        settings: {
          terminal: 'auto',
          serialLinks: false,
          allowCommands: false,
          maxAnnotations: 0,
          // One that never moves: machines are waited for by their own time, so that nothing depends on how busy this computer is.
          clock: () => 0,
          romFolders: [],
          lock: undefined,
          environment: process.env,
          selfCommand: [],
        },
        files: new AllowedFiles({ read: spec.read, write: [] }),
        policy: new OperatorPolicy({
          kinds: [],
          tcp: [],
          networks: ['none', 'user'],
          commands: false,
          monitor: false,
          monitorCommands: [],
          debuggers: false,
          devices: [],
          consoleCommands: {},
          keptConsoles: {},
          readFolders: spec.read,
          writeFolders: [],
        }),
        guardProcessGroup: (pid) => guard.guard(pid),
        log: () => {},
      },
      { machines: spec.count, traceBytes: 1024, idleTimeoutMs: 0 },
    );
  }

  static async open(spec: VectorSpec, signal?: AbortSignal): Promise<GymRack> {
    return new GymRack(spec, await mkdtemp(join(tmpdir(), 'frontpanel-gym-')), signal);
  }

  /** A machine where episodes begin. */
  async first(): Promise<Machine> {
    const { kind, options, from } = this.#spec;
    checkedOptions(`options of ${kind}`, this.rack.kind(kind).options, options);
    const { machine } =
      from.snapshot === undefined
        ? await this.rack.start(kind, options)
        : await startFromSnapshot({ kind, name: undefined, options, path: from.snapshot }, this.rack, this.signal);
    if (from.program !== undefined) {
      await machine.program?.load(await programFile(from.program, this.rack.files), true, this.signal);
    } else if (from.source !== undefined) {
      const bytes = new TextEncoder().encode(from.source);
      const { format = 'asm' } = from;
      await machine.program?.load({ format, bytes, name: `source.${format}` }, true, this.signal);
    }
    if (from.frames > 0) await machine.control?.run({ frames: from.frames, wallMs: 600_000 }, this.signal);
    return machine;
  }

  /** Another one like it; from scratch where the machine cannot be copied. */
  async next(template: Uint8Array | undefined): Promise<Machine> {
    if (!template) return this.first();
    const file = await readSnapshotFile(template);
    const options = { ...this.#spec.options, ...file.options, ...('boot' in file.options ? {} : bootless(file.kind)) };
    const { machine } = await this.rack.start(file.kind, options);
    await machine.snapshots?.unpack?.(file, 'here', this.signal);
    return machine;
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.rack.close();
    await this.#guard.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** The whole machine as a file; undefined where it cannot be one. */
export async function packed(machine: Machine): Promise<Uint8Array | undefined> {
  const { snapshots, kind } = machine;
  if (!snapshots?.pack) return undefined;
  const { name } = await snapshots.save('gym');
  const image = await snapshots.pack(name);
  await snapshots.delete(name);
  return writeSnapshotFile({ kind, ...image });
}

/** What it becomes, it need not be at first. */
function bootless(kind: string): Readonly<Record<string, unknown>> {
  const options = kinds.find((each) => each.kind === kind)?.options;
  return options?.safeParse({ boot: false }).success ? { boot: false } : {};
}
