import { type BrowserContextOptions, devices, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noisyPicture } from '../support/noisy-picture.ts';
import { SlowProxy } from '../support/slow-proxy.ts';
import { canType, Desk, eventually, tap, told } from './desk.ts';

/** A megabit and a half: a phone far from its mast. */
const slow = 200_000;
/** What may be on its way to a viewer before news: the window of pictures, one more frame, and what the kernel keeps. */
const mostAhead = 400_000;

let desk: Desk;

beforeAll(async () => {
  desk = await Desk.open();
  await desk.call('machine_start', { kind: 'c64', name: 'quiet', options: { clock: 'real' } });
  await desk.call('run', { machine: 'quiet', detach: 'real' });
}, 180_000);

afterAll(async () => {
  await desk?.[Symbol.asyncDispose]();
});

async function open(port: string | number, handle: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await desk.another(options);
  await page.goto(`http://127.0.0.1:${port}/?token=${desk.program.token}`);
  await page.locator('#machines button', { hasText: handle }).click();
  await page.locator('#screen[data-painted]').waitFor();
  await canType(page);
  return page;
}

const own = () => new URL(desk.program.url).port;
const painted = async (page: Page) => Number(await page.locator('#screen').getAttribute('data-painted'));
const text = async () => desk.call('screen_read', { machine: 'quiet', mode: 'text' });

test('on a slow line news do not wait for pictures, and old pictures are not sent', async () => {
  await desk.call('machine_start', { kind: 'c64', name: 'noisy', options: { clock: 'real' } });
  await desk.call('program_run', { machine: 'noisy', source: noisyPicture });
  await desk.call('run', { machine: 'noisy', detach: 'real' });
  await using line = await SlowProxy.to(desk.program.url, slow);
  const page = await open(line.port, 'noisy');
  const before = await painted(page);
  await eventually(() => painted(page)).toBeGreaterThan(before + 5);
  // From here on there are no more pictures: what comes before the news was on its way, however long it takes.
  line.hold();
  await page.locator('#pause').click();
  await desk.reads(/noisy PAUSED/, 'machine_list', {});
  const passed = line.passed;
  line.goOn();
  await eventually(() => page.locator('#state').textContent()).toMatch(/PAUSED/);
  expect(line.passed - passed).toBeLessThan(mostAhead);
  await page.locator('#run').click();
  await eventually(() => page.locator('#state').textContent()).toMatch(/RUNNING/);
  await page.context().close();
  await desk.call('machine_stop', { machine: 'noisy' });
});

test('a line that is cut is opened again, and what was held is let go', async () => {
  await using line = await SlowProxy.to(desk.program.url, 10_000_000);
  const page = await open(line.port, 'quiet');
  await page.locator('#screen').click();
  await page.keyboard.down('q');
  await eventually(text).toMatch(/^Q\s*$/im);
  // Until the page has seen the cut, its state is the one from before.
  const opened = page.waitForEvent('websocket');
  line.cut();
  await opened;
  await eventually(() => page.locator('#state').textContent()).toMatch(/^quiet RUNNING/);
  await canType(page);
  await page.keyboard.up('q');
  await page.locator('#screen').click();
  await tap(page, ['Enter', ...'print 19*19', 'Enter']);
  await eventually(text).toMatch(/361/);
  await page.context().close();
});

test('three people see the same machine, type in turn, and only one can hold it', async () => {
  const pages = [await open(own(), 'quiet'), await open(own(), 'quiet'), await open(own(), 'quiet')];
  const [first, second, third] = pages as [Page, Page, Page];
  for (const [index, page] of pages.entries()) {
    await page.locator('#screen').click();
    await tap(page, [...`rem ${index + 1}`, 'Enter']);
    await eventually(text).toMatch(new RegExp(`REM ${index + 1}\\s+READY`, 'i'));
  }
  await second.locator('#take').click();
  await eventually(() => first.locator('#hold').textContent()).toMatch(/^Held by /);
  await eventually(() => third.locator('#hold').textContent()).toMatch(/^Held by /);
  await third.locator('#pause').click();
  await told(third, /held|control/i);
  expect(await desk.call('machine_list', {})).toMatch(/quiet RUNNING/);
  await second.locator('#pause').click();
  for (const page of pages) await eventually(() => page.locator('#state').textContent()).toMatch(/^quiet PAUSED/);
  await second.locator('#run').click();
  await eventually(() => second.locator('#state').textContent()).toMatch(/^quiet RUNNING/);
  await second.locator('#hand-back').click();
  await eventually(() => third.locator('#take').textContent()).toBe('Take control');
  for (const page of pages) await page.context().close();
});

test('on a phone its own keyboard types, deletes and enters', async () => {
  const { defaultBrowserType: _, ...phone } = devices['Pixel 7'] ?? {};
  const page = await open(own(), 'quiet', phone);
  const wide = 'document.documentElement.scrollWidth - innerWidth';
  expect(await page.evaluate(wide)).toBeLessThanOrEqual(0);
  const hint = () => page.locator('#hint').textContent();
  await eventually(hint).toMatch(/“Keyboard” opens your on-screen keyboard/);
  expect(await hint()).not.toMatch(/Ctrl|Click/);
  await page.locator('#soft-button').tap();
  await page.keyboard.insertText('print 17*18x');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  await eventually(text).toMatch(/PRINT 17\*18\s+306/i);
  // A word that a keyboard is still making: each state of it replaces the one before.
  const devTools = await page.context().newCDPSession(page);
  for (const word of ['re', 'rem', 'rem ok']) {
    await devTools.send('Input.imeSetComposition', {
      text: word,
      selectionStart: word.length,
      selectionEnd: word.length,
    });
  }
  await devTools.send('Input.insertText', { text: 'rem ok' });
  await eventually(text).toMatch(/REM OK/i);
  expect(await text()).not.toMatch(/REREM/i);
  await page.context().close();
});
