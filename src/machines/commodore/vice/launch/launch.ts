import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { TiedProcess } from '../../../../links/tied-process.ts';
import { BinmonClient } from '../../../../links/vice/binmon-client.ts';
import { TextMonitor } from '../../../../links/vice/text-monitor.ts';
import { MachineError } from '../../../../machine/errors.ts';
import { commandLine, type LaunchPlan } from './command-line.ts';
import type { ViceFolder } from './vice-folder.ts';

/** Slow computers with many machines at once; a VICE that fails ends. */
const patienceMs = 30_000;
const retryMs = 20;
const mostTries = 3;

export interface Launched {
  readonly process: TiedProcess;
  readonly binmon: BinmonClient;
  readonly text: TextMonitor;
}

interface How {
  readonly program: string;
  readonly folder: ViceFolder;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  guard(pid: number): () => void;
}

/** Starts VICE and connects to both of its monitors. */
export async function launch(plan: Omit<LaunchPlan, 'binmonPort' | 'textPort'>, how: How): Promise<Launched> {
  for (let tries = 1; ; tries++) {
    try {
      const [binmonPort = 0, textPort = 0] = await freePorts();
      return await start({ ...plan, binmonPort, textPort }, how);
    } catch (error) {
      // Somebody else may have taken a port meanwhile.
      if (tries === mostTries || how.signal.aborted || !(error instanceof PortTaken)) throw error;
    }
  }
}

class PortTaken extends Error {}

async function start(plan: LaunchPlan, { program, folder, env, signal, guard }: How): Promise<Launched> {
  const args = commandLine(plan);
  const process = await TiedProcess.start({ program, args, env, cwd: folder.path, guard });
  const gone = new AbortController();
  const cancel = () => gone.abort();
  signal.addEventListener('abort', cancel, { once: true });
  void process.ended.then(cancel);
  const deadline = performance.now() + patienceMs;
  let binmon: BinmonClient | undefined;
  try {
    for (;;) {
      if (gone.signal.aborted || performance.now() > deadline) {
        throw await startFailure(plan, process, folder, signal);
      }
      try {
        binmon ??= await BinmonClient.open('127.0.0.1', plan.binmonPort, gone.signal);
        return { process, binmon, text: await TextMonitor.open('127.0.0.1', plan.textPort, gone.signal) };
      } catch {
        await setTimeout(retryMs);
      }
    }
  } catch (error) {
    binmon?.close();
    await process.kill();
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** Why VICE did not come up, by what it said. */
export async function startFailure(
  { model, logFile }: Pick<LaunchPlan, 'model' | 'logFile'>,
  process: TiedProcess,
  folder: ViceFolder,
  signal: AbortSignal,
): Promise<Error> {
  const said = `${await folder.tail(logFile)}\n${process.complaints}`;
  if (signal.aborted) return new MachineError('CANCELLED', 'The start was cancelled.', 'Start it again.');
  if (/address already in use|could not (?:bind|open) .*monitor/i.test(said)) return new PortTaken(said);
  const rom = /Couldn't load [^\n]*/i.exec(said)?.[0];
  if (process.end && rom !== undefined) {
    return new MachineError(
      'NOT_FOUND',
      `${model.program} does not start without a ROM: ${rom.trim().slice(0, 200)}`,
      `Give a copy of VICE's data folder, with ${model.folder}/ complete, as "roms".`,
    );
  }
  const how = process.end ? `VICE ${process.end.text}` : 'VICE did not open its monitors in time';
  const last = said.trim().split('\n').slice(-5).join('\n').slice(-600);
  return new MachineError(
    'UNAVAILABLE',
    `${model.program} could not be started: ${how}.\n${last}`,
    'Read its last lines.',
  );
}

/** Two at once, so that they are not the same. */
async function freePorts(): Promise<readonly number[]> {
  const held = await Promise.all([holdPort(), holdPort()]);
  await Promise.all(held.map(({ release }) => release()));
  return held.map(({ port }) => port);
}

function holdPort(): Promise<{ readonly port: number; release(): Promise<void> }> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const release = () => new Promise<void>((done) => server.close(() => done()));
      resolve({ port: typeof address === 'object' && address ? address.port : 0, release });
    });
  });
}
