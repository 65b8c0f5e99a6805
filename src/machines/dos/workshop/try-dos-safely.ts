import { Workshop } from '../../shared/workshop.ts';
import type { DosTrial, dosTrialJobs } from './dos-trial.ts';

const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
/** A trial has a second's work at most: see `dos-trial.ts`. */
const mostWorkMs = 8000;
const workshop = new Workshop<typeof dosTrialJobs>(
  new URL(`./dos-trial-workshop-worker${extension}`, import.meta.url),
  mostWorkMs,
);

/** Lets a state that came from elsewhere run for a moment; what is wrong with it, if something is. */
export async function tryDosSafely(trial: DosTrial, signal: AbortSignal): Promise<string | undefined> {
  return workshop.run('run', trial, signal);
}
