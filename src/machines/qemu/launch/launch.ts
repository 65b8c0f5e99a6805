import { QmpClient } from '../../../links/qmp/qmp-client.ts';
import { type ProcessOptions, TiedProcess } from '../../../links/tied-process.ts';
import { MachineError } from '../../../machine/errors.ts';
import { commandLine, type LaunchPlan } from './command-line.ts';
import { startFailure } from './start-failure.ts';
import { cannotKeep, requireTpmState, startTpm } from './tpm.ts';
import { startVirtiofs } from './virtiofs.ts';

/** A guest that breaks into QEMU still cannot start programs or change who it is. */
const sandbox = ['-sandbox', 'on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny'];
/** Slow computers with many machines at once; a QEMU that fails says so at once. */
const patienceMs = 30_000;
/** Between the end of its connections and the end of the process. */
const lastWordsMs = 1000;

/** Programs that were built without it. */
const withoutSandbox = new Set<string>();

interface LaunchOptions extends Pick<ProcessOptions, 'env' | 'guard'> {
  /** Called when the chip of a machine with a TPM cannot keep what it has to. */
  tpmFailed?(): void;
  /** Called when a program is gone that does something for the machine, while the machine is there. */
  helperEnded?(helper: Helper, why: string): void;
}

/** Programs beside QEMU: one is the chip, the other serves the shared folder. */
export type Helper = 'swtpm' | 'virtiofsd';

export interface Launched {
  readonly process: TiedProcess;
  readonly qmp: QmpClient;
}

/** Starts QEMU and connects to its monitor; the guest is stopped. */
export async function launch(
  program: string,
  plan: LaunchPlan,
  how: LaunchOptions,
  signal: AbortSignal,
): Promise<Launched> {
  const args = commandLine(plan);
  return inSandbox(program, (sandbox) => start(program, [...sandbox, ...args], plan, how, signal));
}

/** Starts a QEMU with the arguments that lock it in, or without them if it was built without. */
export async function inSandbox<T>(program: string, begin: (sandbox: readonly string[]) => Promise<T>): Promise<T> {
  if (process.platform !== 'linux' || withoutSandbox.has(program)) return begin([]);
  try {
    return await begin(sandbox);
  } catch (error) {
    if (!(error instanceof Error) || !/sandbox|seccomp/i.test(error.message)) throw error;
    withoutSandbox.add(program);
    return begin([]);
  }
}

async function start(
  program: string,
  args: readonly string[],
  plan: LaunchPlan,
  how: LaunchOptions,
  signal: AbortSignal,
): Promise<Launched> {
  const tpm = plan.options.tpm ? await startTpm(plan.paths, how, signal) : undefined;
  tpm?.onComplaint((text) => {
    if (cannotKeep.test(text)) how.tpmFailed?.();
  });
  const killHelpers = async () => {
    await tpm?.kill();
    await share?.kill();
  };
  const share = await shareProgram(plan, how, signal).catch(async (error: unknown) => {
    await tpm?.kill();
    throw error;
  });
  const process = await TiedProcess.start({ program, args, cwd: plan.cwd, ...how }).catch(async (error: unknown) => {
    await killHelpers();
    throw error;
  });
  void process.ended.then(killHelpers);
  const missed = async (helper: Helper, program: TiedProcess) => {
    const { text, signal: killedBy } = await program.ended;
    const said = killedBy === null ? program.complaints.split('\n').at(-1)?.slice(-300) : undefined;
    if (!(await process.endsWithin(lastWordsMs))) how.helperEnded?.(helper, said ? `${text} (${said})` : text);
  };
  if (tpm) void missed('swtpm', tpm);
  if (share) void missed('virtiofsd', share);
  const gone = new AbortController();
  const cancel = () => gone.abort(new Error('the start was cancelled'));
  signal.addEventListener('abort', cancel, { once: true });
  void process.ended.then(() => gone.abort(new Error('QEMU ended')));
  try {
    signal.throwIfAborted();
    const qmp = await QmpClient.connect(plan.paths.qmp, { timeoutMs: patienceMs, signal: gone.signal });
    if (tpm) await requireTpmState(plan.paths);
    return { process, qmp };
  } catch (error) {
    const endedByItself = await process.endsWithin(signal.aborted ? 0 : lastWordsMs);
    await process.kill();
    if (endedByItself && process.end) throw await startFailure(program, plan, process.complaints, process.end);
    throw signal.aborted || error instanceof MachineError ? error : unreachable(error);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

async function shareProgram(
  { launched, paths }: LaunchPlan,
  how: LaunchOptions,
  signal: AbortSignal,
): Promise<TiedProcess | undefined> {
  const { share, share_by: by, share_writable: writable } = launched;
  return share === undefined || by !== 'virtiofs' ? undefined : startVirtiofs({ share, writable }, paths, how, signal);
}

/** It runs, and nobody can talk to it. */
function unreachable(error: unknown): MachineError {
  const why = error instanceof Error ? error.message : String(error);
  return new MachineError(
    'UNAVAILABLE',
    `QEMU was started, but its monitor cannot be used: ${why.slice(0, 200)}.`,
    'Start again; if it stays so, check that the program is a QEMU (frontpanel doctor, --qemu-dir).',
    {},
    { cause: error },
  );
}
