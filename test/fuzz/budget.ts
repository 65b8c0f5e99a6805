/** How much is tried: fixed for the test command, by time for `npm run fuzz -- --minutes N --seed S`. */
export const seed = Number(process.env.FUZZ_SEED ?? 20_260_728);
const milliseconds = process.env.FUZZ_MS === undefined ? undefined : Number(process.env.FUZZ_MS);

export interface Batch {
  readonly seed: number;
  readonly numRuns: number;
}

/** Batches of cases for a property that has this share of the time: one, or as many as there is time for. */
export async function batches(share: number, numRuns: number, run: (batch: Batch) => Promise<void>): Promise<void> {
  const end = performance.now() + (milliseconds ?? 0) * share;
  let number = 0;
  do await run({ seed: seed + number++, numRuns });
  while (performance.now() < end);
}

/** For vitest: what hangs is ended; making a failure smaller takes its time, too. */
export const patienceMs = (milliseconds ?? 60_000) + 120_000;
