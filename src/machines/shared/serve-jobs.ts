import { parentPort } from 'node:worker_threads';
import { ownThread } from './thread-time.ts';
import type { JobAnswer, JobMessage, Jobs, ThreadGreeting } from './workshop.ts';

/** The other half of a `Workshop`, for the file that is its thread. */
export function serveJobs(jobs: Jobs): void {
  parentPort?.postMessage({ thread: ownThread() } satisfies ThreadGreeting);
  parentPort?.on('message', async ({ job, input }: JobMessage) => {
    parentPort?.postMessage(await answerTo(jobs[job], input));
  });
}

async function answerTo(job: Jobs[string] | undefined, input: unknown): Promise<JobAnswer> {
  try {
    return { output: await job?.(input as never) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
