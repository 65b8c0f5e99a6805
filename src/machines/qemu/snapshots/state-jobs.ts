import { MachineError } from '../../../machine/errors.ts';
import { stateNode } from '../launch/command-line.ts';
import type { QemuSession } from '../qemu-session.ts';

const jobMs = 45_000;

interface StateJob {
  readonly tag: string;
  /** Images that are saved or go back with it; the one of states is among them. */
  readonly nodes: readonly string[];
  /** What would help if QEMU refuses. */
  readonly fix?: string | undefined;
}

const words = { save: 'savevm', load: 'loadvm', delete: 'delvm' } as const;

/**
 * Saves, loads or deletes a state. The human monitor is a quarter quicker than a job, but it chooses the image itself:
 * it is only asked where there is no other.
 */
export async function stateJob(session: QemuSession, what: keyof typeof words, job: StateJob): Promise<void> {
  const { tag, nodes, fix } = job;
  if (nodes.length > 1) {
    const image = what === 'delete' ? {} : { vmstate: stateNode };
    await session.job(`snapshot-${what}`, { tag, ...image, devices: nodes }, jobMs, fix);
    return;
  }
  const answer = (await session.hmp(`${words[what]} ${tag}`, { timeoutMs: jobMs })).trim();
  if (answer === '') return;
  const message = `QEMU refuses snapshot-${what}: ${answer.replace(/^Error: /, '')}`;
  throw new MachineError('EXECUTION_ERROR', message, fix ?? 'Read the message and correct the call.');
}
