// As gym-steps.py, without a channel: `gym-inside.js SPEC`, then a number of steps on each line of standard input.
import { createInterface } from 'node:readline';
import { openVector } from '../dist/gym.js';

const spec = JSON.parse(process.argv[2]);
const environments = await openVector(spec);
await environments.reset();
const actions = new Array(spec.count).fill(0);
console.log('ready');
for await (const line of createInterface(process.stdin)) {
  for (let step = 0; step < Number(line); step++) await environments.step(actions);
  console.log('stepped');
}
await environments.close();
