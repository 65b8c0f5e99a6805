import type { Log } from './log.ts';

const mostStrays = 20;
const withinMs = 10_000;

/**
 * The net below everything: an error that nobody caught is a fault of ours, and would end the process with every machine
 * in it. Those machines are worth more than the certainty that nothing is out of order, so it is logged as what it is and
 * the server goes on. Errors that come in a stream are another matter: then `giveUp` is called.
 */
export function catchStrayErrors(log: Log, giveUp: () => void): () => void {
  let times: number[] = [];
  const caught = (error: unknown, origin: string) => {
    const now = performance.now();
    times = [...times.filter((at) => now - at < withinMs), now];
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    log(
      'error',
      `BUG: unhandled error (${origin}). The server continues, but what was in progress is lost and other things may fail: ` +
        `save what you need, restart it, and report this.\n${what}`,
    );
    if (times.length < mostStrays) return;
    log('error', `BUG: ${times.length} such errors within ${withinMs / 1000} s; the server ends.`);
    giveUp();
  };
  const exception = (error: Error) => caught(error, 'uncaughtException');
  const rejection = (reason: unknown) => caught(reason, 'unhandledRejection');
  process.on('uncaughtException', exception);
  process.on('unhandledRejection', rejection);
  return () => {
    process.off('uncaughtException', exception);
    process.off('unhandledRejection', rejection);
  };
}
