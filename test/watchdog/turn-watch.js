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
  appendFileSync(file, `yardstick ${Math.min(...[1, 2, 3].map((seed) => yardstick(usedMs, seed))).toFixed(2)}\n`);
  let before = usedMs();
  const timer = setInterval(() => {
    const now = usedMs();
    if (now - before > noteworthyMs) appendFileSync(file, `${(now - before).toFixed(1)}\n`);
    before = now;
  }, lookMs);
  timer.unref();
}

/**
 * What a piece of work takes that is like most of what a server does in one go: code that runs for the first time.
 * @param {() => number} usedMs
 * @param {number} seed
 */
function yardstick(usedMs, seed) {
  const before = usedMs();
  const lines = Array.from(
    { length: 600 },
    (_, line) =>
      `function step${line}(map, text) { map.set(text + ${line * seed}, [text.length, ${line}]); return map; }`,
  );
  const calls = Array.from({ length: 600 }, (_, line) => `step${line}(map, 'name of ${line}');`);
  const names = new Function(`${lines.join('\n')}\nconst map = new Map();\n${calls.join('\n')}\nreturn map;`)();
  JSON.parse(JSON.stringify([...names]));
  return usedMs() - before;
}
