import { parentPort, workerData } from 'node:worker_threads';
import { Breaths } from './breaths.ts';
import { EnvironmentPool } from './environment-pool.ts';
import type { PoolAnswer, PoolOrder, PoolStart } from './pool-messages.ts';
import { problemText } from './problem-text.ts';
import { StepBuffers } from './step-buffers.ts';

/** A thread with a part of the environments. Orders are carried out one after the other. */
const { spec, shared, first, count, template }: PoolStart = workerData;
const answer = (message: PoolAnswer) => parentPort?.postMessage(message);

let work: Promise<void> = Promise.resolve();
const ending = new AbortController();
const opening = EnvironmentPool.open(spec, new StepBuffers(spec, shared), first, count, template, ending.signal);
opening.then(
  () => answer({ id: 0 }),
  (error: unknown) => answer({ id: 0, problem: problemText(error) }),
);

parentPort?.on('message', (order: PoolOrder) => {
  if (order.type === 'close') ending.abort();
  work = work
    .then(() => carryOut(order))
    .catch((error: unknown) => answer({ id: order.id, problem: problemText(error) }));
});

async function carryOut(order: PoolOrder): Promise<void> {
  const pool = await opening;
  const breaths = new Breaths(ending.signal);
  switch (order.type) {
    case 'step':
      for (const index of order.indexes) {
        await breaths.take();
        await pool.step(index);
        if (order.each) answer({ id: order.id, ready: index });
      }
      return answer({ id: order.id });
    case 'reset':
      for (const [index, random] of order.which) {
        await breaths.take();
        await pool.reset(index, random);
      }
      return answer({ id: order.id });
    case 'save':
      return answer({ id: order.id, saved: await pool.save(order.index) });
    case 'restore':
      await pool.restore(order.index, order.saved);
      return answer({ id: order.id });
    case 'close':
      await pool.close();
      answer({ id: order.id });
      parentPort?.close();
  }
}
