/**
 * Loaded into the server before its own code: notes every turn of the event loop in which the main thread worked for long,
 * in its own processor time. From outside a busy computer looks like a busy server: an answer that lies in a socket until
 * its reader gets a processor is as late as one that was never given.
 */
import { appendFileSync, closeSync, openSync, readSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** A turn is measured with whatever else ran since the last look, which is at most this long. */
const lookMs = 2;
const noteworthyMs = 10;

if (isMainThread && process.env.FRONTPANEL_TURNS !== undefined) watch(process.env.FRONTPANEL_TURNS);

/** @param {string} file */
function watch(file) {
  const usage = openSync(`/proc/${process.pid}/task/${process.pid}/schedstat`, 'r');
  const text = Buffer.alloc(100);
  const usedMs = () => Number(text.toString('latin1', 0, readSync(usage, text, 0, 100, 0)).split(' ')[0]) / 1e6;
  process.on('exit', () => closeSync(usage));
  let before = usedMs();
  const timer = setInterval(() => {
    const now = usedMs();
    if (now - before > noteworthyMs) appendFileSync(file, `${(now - before).toFixed(1)}\n`);
    before = now;
  }, lookMs);
  timer.unref();
}
