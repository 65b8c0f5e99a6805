import { Workshop } from '../../shared/workshop.ts';
import type { Trial, trialJobs } from './trial.ts';

const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
/** A trial is a second of the machine's time. */
const mostWorkMs = 8000;
const workshop = new Workshop<typeof trialJobs>(
  new URL(`./trial-workshop-worker${extension}`, import.meta.url),
  mostWorkMs,
);

/** Lets a state that came from elsewhere run for a moment; what is wrong with it, if something is. */
export async function trySafely(trial: Trial, signal: AbortSignal): Promise<string | undefined> {
  return workshop.run('run', trial, signal);
}
