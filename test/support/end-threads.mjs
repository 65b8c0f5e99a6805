/** Loaded before the program: on SIGUSR2 one of its threads ends, as one does whose memory is used up. */
import diagnostics from 'node:diagnostics_channel';
import { isMainThread } from 'node:worker_threads';

const threads = new Set();
if (isMainThread) {
  diagnostics.subscribe('worker_threads', ({ worker }) => {
    threads.add(worker);
    worker.once('exit', () => threads.delete(worker));
  });
  process.on('SIGUSR2', () => {
    const [oldest] = threads;
    void oldest?.terminate();
  });
}
