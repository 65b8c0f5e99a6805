import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Desk, eventually } from './desk.ts';

let desk: Desk;
let session: string;
const c64 = { machine: 'c64-1' };
const loop = `* = $c000\nloop inc $d020\n jmp loop\n${'; a line that only makes it long\n'.repeat(200)}`;

beforeAll(async () => {
  desk = await Desk.open();
  await desk.call('machine_start', { kind: 'c64' });
  await desk.call('input_send', { ...c64, text: 'print "<b>hello</b>"\n', show: 'screen' });
  await desk.call('program_run', { ...c64, source: loop });
  await desk.call('run', { ...c64, frames: 3 });
  await desk.visit();
  await desk.page.locator('#timeline').click();
  // A still takes a tenth of the time at most: it is waited for, or the next call may come before it.
  await vi.waitFor(async () => {
    await row('program_run').locator('button').click();
    await detail().locator('.asked', { hasText: 'inc $d020' }).waitFor();
    await row('run').locator('button').click();
    await detail().locator('.asked', { hasText: 'frames' }).waitFor();
    expect(await detail().locator('.stills img').count()).toBeGreaterThan(0);
  }, 90_000);
  await desk.call('screen_read', { ...c64, mode: 'image' });
  await desk.call('memory_read', { ...c64, address: 'nowhere' });
  await desk.call('batch', { steps: [{ tool: 'step', arguments: c64 }] });
}, 180_000);

afterAll(() => desk?.[Symbol.asyncDispose]());

const row = (tool: string) => desk.page.locator('.entries li', { has: desk.page.getByText(tool, { exact: true }) });
const detail = () => desk.page.locator('.entry');

test('a call stands there as a whole: arguments, answer, images, the screen before and after, time and size', async () => {
  await row('program_run').locator('button').click();
  await eventually(() => detail().locator('.asked').textContent()).toContain(JSON.stringify(loop).slice(1, -1));
  expect(await detail().locator('.answered').textContent()).toMatch(/loaded \$C000-\$C005/);
  await row('run').locator('button').click();
  // On a busy machine one of the two may not have been taken.
  await eventually(() => detail().locator('.stills img').count()).toBeGreaterThan(0);
  const stills = await detail()
    .locator('.stills img')
    .evaluateAll((all) => all.map((each) => Reflect.get(Object(each), 'src')));
  expect(new Set(stills).size).toBe(stills.length);
  await row('screen_read').locator('button').click();
  await eventually(() => detail().locator('img[alt="Answer 1"]').count()).toBe(1);
  expect(await detail().locator('.facts').textContent()).toMatch(/ ms · \d+ characters \+ \d+ KB of images · /);
});

test('what a guest printed is text there', async () => {
  await row('input_send').locator('button').click();
  await eventually(() => detail().locator('.asked').textContent()).toContain('<b>hello</b>');
  expect(await detail().locator('b').count()).toBe(0);
});

test('errors, tools and machines can be picked out; arrow keys walk', async () => {
  await desk.page.getByLabel('errors only').check();
  await eventually(() => desk.page.locator('.entries strong').allTextContents()).toEqual(['memory_read']);
  await desk.page.getByLabel('errors only').uncheck();
  await desk.page.getByLabel('Tool', { exact: true }).selectOption('step');
  await eventually(() => row('step').getAttribute('class')).toBe('inner');
  await desk.page.getByLabel('Tool', { exact: true }).selectOption('');
  await row('machine_start').locator('button').click();
  await desk.page.keyboard.press('ArrowUp');
  await eventually(() => detail().locator('h2').textContent()).toBe('2 input_send');
});

test('what a person does stands between the calls, without what they typed', async () => {
  await desk.call('breakpoint_set', { ...c64, address: '$ffff' });
  await desk.take('c64-1');
  await desk.page.locator('#run').click();
  await desk.page.locator('#screen').click();
  await desk.page.keyboard.type('secret\n');
  await desk.page.locator('#pause').click();
  await desk.page.locator('#timeline').click();
  // Keys that came more than a second apart are entries of their own.
  const deeds = () => desk.page.locator('.entries li.person .summary').allTextContents();
  const keysIn = (texts: readonly string[]) =>
    texts.reduce((sum, text) => sum + Number(/^pressed (\d+) keys?/.exec(text)?.[1] ?? 0), 0);
  await eventually(async () => keysIn(await deeds())).toBe(7);
  await eventually(async () => (await deeds()).filter((text) => !/key/.test(text))).toEqual([
    'pressed Pause',
    'pressed Run',
  ]);
  const keys = (await deeds()).slice(1, -1);
  expect(keys[0]).toMatch(/^pressed \d keys?: [a-z]+$/);
  for (const text of keys) expect(text).toMatch(/^pressed \d keys?(?:: [a-z]+)?$/);
});

test('a session is one file, which shows itself without a server', async () => {
  const download = desk.page.waitForEvent('download');
  await desk.page.locator('#export').click();
  session = join(desk.sandbox.dir, 'session.html');
  await (await download).saveAs(session);
  const { page, problems } = desk;
  page.on('request', (request) => {
    if (!/^(file|data):/.test(request.url())) problems.push(request.url());
  });
  await page.goto(`file://${session}`);
  await page.locator('.entries li', { hasText: 'screen_read' }).locator('button').click();
  await eventually(() => page.locator('.entry img[alt="Answer 1"]').count()).toBe(1);
  expect(await page.locator('header').first().textContent()).toMatch(/Session, exported .*: \d+ entries$/);
  expect(await readFile(session, 'utf8')).not.toContain('<b>hello');
});

test('replay carries the exported session out again and proves every answer', async () => {
  const { code, stdout } = await desk.sandbox.run(['replay', session, '--json']);
  const verdicts = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(verdicts.at(-1)).toMatchObject({ ok: true, same: 9, different: 0 });
  const others = verdicts.filter(({ verdict }) => verdict === 'not compared').map(({ tool }) => tool);
  expect([...new Set(others)]).toEqual(['page run', 'page keys', 'page pause']);
  expect(code).toBe(0);
});

test('nothing went wrong in the browser', () => {
  expect(desk.problems).toEqual([]);
});
