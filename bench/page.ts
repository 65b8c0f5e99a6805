import type { Page } from 'playwright-core';
import { Desk } from '../test/page/desk.ts';
import { noisyPicture } from '../test/support/noisy-picture.ts';
import { SlowProxy } from '../test/support/slow-proxy.ts';
import { atMost, type Bench, type Row } from './harness/bench.ts';
import { median, percentile } from './harness/statistics.ts';
import { picturesOf } from './page-pictures.ts';

const rounds = 9;
const lines = [
  { what: 'a line of 200 KB/s', bytesPerSecond: 200_000, mostMs: 1000 },
  { what: 'a line of 1 MB/s', bytesPerSecond: 1_000_000, mostMs: 500 },
  { what: 'a line of 100 MB/s', bytesPerSecond: 100_000_000, mostMs: 250 },
];

export const pageBench: Bench = {
  summary: 'The live page in a real browser, on lines of different speeds.',
  run: async (progress) => {
    await using desk = await Desk.open();
    const pictures = await picturesOf(desk, progress);
    await desk.call('machine_stop', { machine: 'bars' });
    await desk.call('machine_start', { kind: 'c64', name: 'noisy', options: { clock: 'real' } });
    await desk.call('program_run', { machine: 'noisy', source: noisyPicture });
    await desk.call('run', { machine: 'noisy', detach: 'real' });
    const rows: Row[] = [];
    for (const { what, bytesPerSecond, mostMs } of lines) {
      await using line = await SlowProxy.to(desk.program.url, bytesPerSecond);
      const page = await desk.another();
      await page.goto(`http://127.0.0.1:${line.port}/?token=${desk.program.token}`);
      await page.locator('#machines button', { hasText: 'noisy' }).click();
      await page.locator('#screen[data-painted]').waitFor();
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) times.push(await pauseShows(page));
      await page.context().close();
      progress(what);
      rows.push({
        what: `Pause pressed until the page shows PAUSED, ${what}`,
        measured: `${median(times).toFixed(0)} ms (slowest ${percentile(times, 1).toFixed(0)})`,
        best: `${Math.min(...times).toFixed(0)} ms`,
        target: atMost(median(times), mostMs, `≤ ${mostMs} ms`),
      });
    }
    return [
      pictures,
      {
        title: 'News beside pictures',
        rows,
        notes: [
          'A C64 that changes a thousand characters and colours all the time, seen through a proxy that lets only so many bytes a second pass to the browser.',
          'Browser, server, proxy and machine share the two cores. The time is taken in the page: from the click to the first change of the line of state that says PAUSED.',
        ],
      },
    ];
  },
};

/** Lets some pictures pass, then measures one press of the button. The page allows no code from elsewhere: it is asked again and again. */
async function pauseShows(page: Page): Promise<number> {
  const painted = async () => Number(await page.locator('#screen').getAttribute('data-painted'));
  const before = await painted();
  while ((await painted()) < before + 5) await page.waitForTimeout(20);
  const ms = await page.evaluate(`new Promise((resolve) => {
    const state = document.querySelector('#state');
    const began = performance.now();
    const look = () => /PAUSED/.test(state.textContent) && (observer.disconnect(), resolve(performance.now() - began));
    const observer = new MutationObserver(look);
    observer.observe(state, { childList: true, characterData: true, subtree: true });
    document.querySelector('#pause').click();
  })`);
  await page.locator('#run').click();
  await page.locator('#state', { hasText: 'RUNNING' }).waitFor();
  return Number(ms);
}
