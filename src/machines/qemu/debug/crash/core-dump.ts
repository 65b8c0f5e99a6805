import { setTimeout } from 'node:timers/promises';
import type { CrashCore } from '../../../../machine/crash.ts';
import { advice, call, MachineError } from '../../../../machine/errors.ts';
import type { HostFile, HostFiles } from '../../../../machine/files.ts';
import { writtenAppendix } from '../../core/core-appendix.ts';
import type { QemuEngine } from '../../qemu-engine.ts';

/** Should the event of its end be lost. */
const pollMs = 200;
/** What is written within the time of a call. */
const maxMemoryBytes = 4 * 1024 ** 3;

/**
 * The guest's memory and registers as an ELF core file, for debuggers that read such files. Memory stands in it by
 * physical addresses: to list virtual ones QEMU would follow the guest's page tables, and a guest can make these so
 * large that QEMU takes gigabytes for them.
 */
export async function writeCore(engine: QemuEngine, files: HostFiles, path: string): Promise<CrashCore> {
  const { session } = engine;
  const { 'base-memory': memory } = await session.query('query-memory-size-summary');
  if (memory > maxMemoryBytes) throw tooLarge(memory);
  const file = await files.create(path);
  let failure: string | undefined;
  const stopListening = session.onEvent(({ name, data }) => {
    if (name === 'DUMP_COMPLETED' && typeof data.error === 'string') failure = data.error.slice(0, 200);
  });
  try {
    // A guest that goes on before the end would be half here and half there, so nothing ends this early.
    return await engine.debugger.atRest(async () => {
      await session.execute('dump-guest-memory', { paging: false, protocol: `file:${file.grantedPath}`, detach: true });
      for (;;) {
        const { status, total } = await session.query('query-dump');
        if (status === 'completed') return { path: file.path, bytes: await completed(engine, files, file, total) };
        if (status === 'failed') throw failed(file.path, failure);
        await setTimeout(pollMs);
      }
    });
  } finally {
    stopListening();
    file.close();
  }
}

/** Adds what QEMU leaves out of its notes, so that the file can be opened again with all there was. */
async function completed(engine: QemuEngine, files: HostFiles, file: HostFile, memory: number): Promise<number> {
  const { arch } = engine.plan.options;
  const state = await engine.debugger.coreState();
  const log = await engine.crashes();
  const appendix = writtenAppendix({ ...state, arch, log, timeMs: engine.clock.nowMs, isWhole: true });
  const written = await files.open(file.path, 'read');
  try {
    await file.write(appendix, written.size);
  } catch (error) {
    throw failed(file.path, error instanceof Error ? error.message : String(error));
  } finally {
    written.close();
  }
  return memory;
}

function tooLarge(memory: number): MachineError {
  return new MachineError(
    'LIMIT_REACHED',
    `The guest has ${Math.round(memory / 1024 ** 3)} GiB of memory; up to ${maxMemoryBytes / 1024 ** 3} GiB are written.`,
    advice`Keep the whole machine with ${call('snapshot_save')} instead.`,
  );
}

function failed(path: string, why = 'QEMU does not say why'): MachineError {
  return new MachineError(
    'EXECUTION_ERROR',
    `The core file ${path} could not be written: ${why}. The file is incomplete.`,
    'Remove it, make room, and give another path.',
  );
}
