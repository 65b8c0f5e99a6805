import { parentPort } from 'node:worker_threads';
import type { JobAnswer, JobMessage, Jobs } from './workshop.ts';

/** The other half of a `Workshop`, for the file that is its thread. */
export function serveJobs(jobs: Jobs): void {
  parentPort?.on('message', ({ job, input }: JobMessage) => parentPort?.postMessage(answerTo(jobs[job], input)));
}

function answerTo(job: Jobs[string] | undefined, input: unknown): JobAnswer {
  try {
    return { output: job?.(input as never) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
