import { afterAll, beforeAll, expect, test } from 'vitest';
import { Desk, eventually } from './desk.ts';

let desk: Desk;
const c64 = { machine: 'c64-1' };
const slider = () => desk.page.locator('#film-slider');
const marks = (type: string) =>
  desk.page.locator(`.mark.${type}`).evaluateAll((all) => all.map((each) => Reflect.get(Object(each), 'title')));
const cycle = async (machine: string) => {
  const text = await desk.call('state_read', { machine });
  return Number(/cycle ([\d,]+)/.exec(text)?.[1]?.replaceAll(',', ''));
};
/** What the pane says is looked at. */
const looked = async () =>
  Number(/now, ([\d,]+)/.exec((await desk.text('#film-moment')) ?? '')?.[1]?.replaceAll(',', ''));

beforeAll(async () => {
  desk = await Desk.open();
  await desk.call('machine_start', { kind: 'c64' });
  await desk.call('run', { ...c64, screen_text: 'READY.' });
  await desk.call('input_send', { ...c64, text: 'print "before"\n' });
  await desk.call('snapshot_save', { ...c64, name: 'early' });
  await desk.call('program_run', { ...c64, source: '* = $c000\nloop inc $d020\n jmp loop', start: false });
  await desk.call('breakpoint_set', { ...c64, address: '$c003' });
  await desk.call('registers_write', { ...c64, values: { PC: '$c000' } });
  await desk.call('run', { ...c64, frames: 5 });
  await desk.call('breakpoint_delete', { ...c64, id: 1 });
  await desk.call('run', { ...c64, frames: 150 });
  await desk.visit();
}, 180_000);

afterAll(() => desk?.[Symbol.asyncDispose]());

test('the past is a strip of pictures, with marks for calls, stops and snapshots', async () => {
  await eventually(() => desk.page.locator('.strip button').count()).toBeGreaterThan(12);
  await eventually(() => marks('stop')).toEqual([expect.stringMatching(/breakpoint 1/)]);
  await eventually(() => marks('snapshot')).toEqual(['early']);
  await eventually(() => marks('call')).toContain('page test: program_run');
});

test('looking at a moment shows its picture and leaves the machine where it is', async () => {
  const before = await cycle('c64-1');
  await desk.page.locator('.mark.snapshot').click();
  const picture = desk.page.locator('#past');
  await picture.waitFor();
  await eventually(() => picture.evaluate((image) => Reflect.get(Object(image), 'naturalWidth'))).toBe(768);
  await eventually(looked).toBeLessThan(before);
  expect(await cycle('c64-1')).toBe(before);
  const early = await picture.getAttribute('src');
  await slider().focus();
  await desk.page.keyboard.press('End');
  await eventually(() => picture.getAttribute('src')).not.toBe(early);
});

test('a machine that runs goes on meanwhile, and what a person did is a mark', async () => {
  await desk.page.locator('#film-now').click();
  await desk.page.locator('#run').click();
  await desk.page.locator('.strip button').first().click();
  const before = await cycle('c64-1');
  await eventually(() => cycle('c64-1')).toBeGreaterThan(before + 20_000);
  await desk.page.locator('#pause').click();
  await desk.page.locator('#film-now').click();
  await eventually(() => marks('person')).toEqual([
    expect.stringMatching(/pressed Run/),
    expect.stringMatching(/pressed Pause/),
  ]);
});

test('another machine goes on from a moment; this one stays', async () => {
  const before = await cycle('c64-1');
  await desk.page.locator('.mark.snapshot').click();
  await desk.page.locator('#past').waitFor();
  const then = await looked();
  await desk.page.locator('#film-fork').click();
  await eventually(() => desk.text('#state')).toMatch(/c64-1-fork-1/);
  expect(await cycle('c64-1-fork-1')).toBe(then);
  expect(await desk.call('screen_read', { machine: 'c64-1-fork-1' })).toContain('BEFORE');
  expect(await cycle('c64-1')).toBe(before);
});

test('a breakpoint on the way back stops the machine, and the page says so', async () => {
  await desk.page
    .locator('#machines button', { hasText: /^c64-1(?!-)/ })
    .first()
    .click();
  const before = await cycle('c64-1');
  await desk.call('breakpoint_set', { ...c64, address: '$c003' });
  await desk.page.locator('.mark.stop').click();
  await desk.page.locator('#past').waitFor();
  const then = await looked();
  await desk.page.locator('#film-back').click();
  await desk.told(/^A breakpoint stopped it on the way back/);
  const there = await cycle('c64-1');
  expect(there).toBeLessThan(before);
  expect(there).toBeGreaterThan(then);
  // The moment is still the one that is looked at.
  expect(await looked()).toBe(then);
  await desk.call('breakpoint_delete', { ...c64, id: 2 });
});

test('the machine itself goes back to a moment', async () => {
  await desk.page.locator('.mark.stop').click();
  await desk.page.locator('#past').waitFor();
  const then = await looked();
  await desk.page.locator('#film-back').click();
  await eventually(() => cycle('c64-1')).toBe(then);
  await eventually(() => desk.page.locator('#past').count()).toBe(0);
  expect(await desk.call('state_read', c64)).toMatch(/PC\W+C003/);
});

test('a DOS PC shows what its screen was, and goes back there', async () => {
  await desk.call('machine_start', { kind: 'dos' });
  await desk.call('input_send', { machine: 'dos-1', text: 'echo one\n' });
  await desk.call('run', { machine: 'dos-1', frames: 100 });
  await desk.call('input_send', { machine: 'dos-1', text: 'cls\n' });
  await desk.call('run', { machine: 'dos-1', frames: 100 });
  await desk.page.locator('#machines button', { hasText: 'dos-1' }).click();
  await eventually(() => desk.page.locator('.strip button').count()).toBeGreaterThan(4);
  const last = (await desk.page.locator('.strip button').count()) - 1;
  await desk.page
    .locator('.strip button')
    .nth(last >> 1)
    .click();
  await desk.page.locator('#past').waitFor();
  await desk.page.locator('#film-back').click();
  await eventually(() => desk.page.locator('#past').count()).toBe(0);
  await desk.reads(/echo one\s+one/, 'screen_read', { machine: 'dos-1' });
});

test('code of one machine is not looked for on another', async () => {
  await eventually(() => desk.page.locator('.pane-code li.next').count()).toBe(1);
  await desk.page.locator('#machines button', { hasText: 'c64-1-fork-1' }).click();
  await eventually(() => desk.page.locator('.pane-code li.next').textContent()).toMatch(/\$[0-9A-F]{4}/);
});

test('nothing went wrong in the browser', () => {
  expect(desk.problems).toEqual([]);
});
