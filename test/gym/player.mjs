/**
 * Plays environments from beginning to end in a process of its own and prints a hash of all that is heard: observations,
 * rewards and flags. `save`: writes environment 0 there in the middle; `restore`: takes all up from there instead.
 * `hurry`: the computer's clock is so many times as fast, as a slow computer sees it. `days`: it is so many days later, in Tokyo.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { openVector } from 'frontpanel/gym';

const { options, rounds, save, restore, hurry = 1, days = 0 } = JSON.parse(process.argv[2]);
const now = performance.now.bind(performance);
if (hurry !== 1) performance.now = () => now() * hurry;
if (days !== 0) {
  process.env.TZ = 'Asia/Tokyo';
  const RealDate = Date;
  const today = () => RealDate.now() + days * 86_400_000;
  globalThis.Date = class extends RealDate {
    constructor(...given) {
      super(...(given.length === 0 ? [today()] : given));
    }
    static now = today;
  };
}
const vector = await openVector(options);
const { count, action } = vector.spec;
const half = rounds >> 1;
let hash = createHash('sha256');
const choices = action[0].length;
const hear = ({ observations, rewards, flags }) => {
  for (const each of [observations, new Uint8Array(rewards.buffer), flags]) hash.update(each);
};
const step = async (round) =>
  hear(await vector.step(Uint8Array.from({ length: count }, (_, index) => (round * 7 + index) % choices)));

hear(await vector.reset(5));
if (restore === undefined) for (let round = 0; round < half; round += 1) await step(round);
if (save !== undefined) writeFileSync(save, await vector.save(0));
if (restore !== undefined) await vector.restore(0, readFileSync(restore));
if (save !== undefined || restore !== undefined) hash = createHash('sha256');
for (let round = half; round < rounds; round += 1) await step(round);
console.log(hash.digest('hex'));
await vector.close();
