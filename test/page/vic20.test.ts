import { afterAll, beforeAll, expect, test } from 'vitest';
import { Desk, eventually } from './desk.ts';

let desk: Desk;
const vic20 = { machine: 'vic20-1' };

beforeAll(async () => {
  desk = await Desk.open('--toolset', 'all');
  await desk.call('machine_start', { kind: 'vic20', options: { roms: 'own', clock: 'real' } });
  await desk.visit();
  await desk.take('vic20-1');
}, 180_000);

afterAll(() => desk?.[Symbol.asyncDispose]());

/** Run in the browser, which has types of its own. */
const pictureSize = `(() => { const { width, height } = document.getElementById('screen'); return [width, height]; })()`;
const colourAt = (x: number, y: number) =>
  `[...document.getElementById('screen').getContext('2d').getImageData(${x}, ${y}, 1, 1).data].slice(0, 3)`;

test('its picture is on the page, in the colours that it has', async () => {
  await eventually(() => desk.page.evaluate(pictureSize)).toEqual([448, 284]);
  await eventually(() => desk.page.evaluate(colourAt(4, 4))).toEqual([0x4d, 0xf0, 0xff]);
  await eventually(() => desk.page.evaluate(colourAt(300, 200))).toEqual([255, 255, 255]);
});

test('panes give way to a picture that is larger by a whole number of dots then', async () => {
  const sizes = `[document.getElementById('screen'), document.querySelector('aside')].map(({ clientWidth }) => clientWidth)`;
  await eventually(() => desk.page.evaluate(sizes)).toEqual([896, expect.closeTo(362, -2)]);
  await desk.page.setViewportSize({ width: 1100, height: 860 });
  await eventually(() => desk.page.evaluate(sizes)).toEqual([448, 392]);
  expect(await desk.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1100);
  await desk.page.setViewportSize({ width: 1300, height: 860 });
});

test('typing on the page reaches it, and what it shows changes there', async () => {
  await desk.page.keyboard.type('poke36879,8', { delay: 120 });
  await desk.page.keyboard.press('Enter', { delay: 120 });
  await desk.reads(/POKE36879,8/, 'screen_read', vic20);
  await eventually(() => desk.page.evaluate(colourAt(4, 4))).toEqual([0, 0, 0]);
});

test('nothing went wrong in the browser', () => {
  expect(desk.problems).toEqual([]);
});
