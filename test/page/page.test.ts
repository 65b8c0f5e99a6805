import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { Desk, eventually, tap } from './desk.ts';

let desk: Desk;
const c64 = { machine: 'c64-1' };

/** A stick that no computer of ours has: what the browser's interface to it would say. */
const gamepad = `(() => {
  const pad = { connected: true, axes: [0, 0], buttons: Array.from({ length: 16 }, () => ({ pressed: false })) };
  navigator.getGamepads = () => [pad];
  globalThis.pad = pad;
})()`;

beforeAll(async () => {
  desk = await Desk.open('--demo', '--toolset', 'all');
  await desk.page.addInitScript(gamepad);
  await desk.visit();
}, 180_000);

afterAll(() => desk?.[Symbol.asyncDispose]());

const painted = async () => Number((await desk.page.locator('#screen').getAttribute('data-painted')) ?? 0);

/** Changes the border all the time. */
const spin = new TextEncoder().encode('* = $c000\nloop inc $d020\n jmp loop\n');

/** Runs in the browser, which has types of its own. */
const countColours = `(() => {
  const { data } = document.getElementById('screen').getContext('2d').getImageData(0, 0, 384, 272);
  return new Set(new Uint32Array(data.buffer)).size;
})()`;

/** What a program sees of the joystick in port 2, a bit low for each direction. */
const joystick = async () =>
  /DC00[^0-9A-F]+([0-9A-F]{2})/i.exec(await desk.call('memory_read', { ...c64, address: '$DC00', length: 1 }))?.[1];

test('shows the machine that runs, and its picture moves', async () => {
  await desk.page.locator('#machines button', { hasText: 'c64-1' }).waitFor();
  await eventually(() => desk.text('#state')).toMatch(/^c64-1 RUNNING/);
  const before = await painted();
  await eventually(painted).toBeGreaterThan(before + 20);
  expect(await desk.page.evaluate(countColours)).toBeGreaterThan(5);
});

test('shows the calls of an agent with their answers', async () => {
  await desk.call('machine_list', {});
  const entry = desk.page.locator('#calls li').first();
  await eventually(() => entry.textContent()).toMatch(/machine_list.*page test.*c64-1 RUNNING/s);
});

test('typing on the page reaches the machine, with its own shift and signs where they are', async () => {
  await desk.call('machine_reset', c64);
  await desk.call('run', { ...c64, screen_text: 'READY.' });
  await eventually(() => desk.text('#state')).not.toMatch(/RUNNING/);
  await desk.page.locator('#run').click();
  await eventually(() => desk.text('#state')).toMatch(/RUNNING/);
  await desk.take('c64-1');
  await desk.page.keyboard.type('hello', { delay: 120 });
  await desk.strike('=', 'Digit0', { shift: true });
  for (let count = 0; count < 2; count++) await desk.strike('"', 'Digit2', { shift: true });
  await desk.reads(/hello=""/i, 'screen_read', c64);
  await desk.page.keyboard.press('Home', { delay: 100 });
  await desk.page.keyboard.press('Shift+Home', { delay: 100 });
  await eventually(() => desk.call('screen_read', c64)).not.toMatch(/hello/i);
});

test('buttons are the keys that this keyboard lacks, held as long as they are pressed', async () => {
  await desk.page.keyboard.type('10 goto 10', { delay: 60 });
  await desk.page.keyboard.press('Enter', { delay: 60 });
  await desk.page.keyboard.type('run', { delay: 60 });
  await desk.page.keyboard.press('Enter', { delay: 60 });
  await desk.reads(/run\s*$/im, 'screen_read', c64);
  const stop = desk.page.locator('#keys button', { hasText: /^RUN\/STOP$/ });
  await stop.hover();
  await desk.page.mouse.down();
  await desk.reads(/break/i, 'screen_read', c64);
  expect(await desk.call('memory_read', { ...c64, address: '$91', length: 1 })).toMatch(/7F/i);
  await desk.page.mouse.up();
  await eventually(() => desk.call('memory_read', { ...c64, address: '$91', length: 1 })).toMatch(/FF/i);
});

test('the joystick is where it was put, moved by keys and by a gamepad', async () => {
  await eventually(() => desk.text('#hint')).toMatch(/Esc is RUN\/STOP/);
  await desk.page.locator('#joystick').selectOption('2');
  await eventually(() => desk.text('#hint')).toMatch(/joystick in port 2/);
  await desk.page.locator('#screen').click();
  await desk.page.keyboard.down('ArrowUp');
  await desk.page.keyboard.down('ControlRight');
  await eventually(joystick).toBe('6E');
  await desk.page.keyboard.up('ArrowUp');
  await desk.page.keyboard.up('ControlRight');
  await eventually(joystick).toBe('7F');
  await desk.page.evaluate(
    `dispatchEvent(new Event('gamepadconnected')); pad.axes[0] = -1; pad.buttons[0].pressed = true;`,
  );
  await eventually(joystick).toBe('6B');
  await desk.page.evaluate(`pad.connected = false`);
  await eventually(joystick).toBe('7F');
});

test('the buttons pause, resume and reset', async () => {
  await desk.page.locator('#pause').click();
  await eventually(() => desk.text('#state')).toMatch(/PAUSED/);
  await eventually(() => desk.text('#hint')).toMatch(/press Run/);
  await desk.page.locator('#run').click();
  await eventually(() => desk.text('#state')).toMatch(/RUNNING/);
  // A reset forgets it: READY. could be there from before.
  await desk.page.locator('#screen').click();
  await tap(desk.page, [...'xyzzy']);
  await desk.reads(/xyzzy/i, 'screen_read', c64);
  await desk.page.locator('#reset').click();
  await desk.reads(/^(?!.*xyzzy).*READY/is, 'screen_read', c64);
  await eventually(() => desk.text('#state')).toMatch(/RUNNING/);
});

test('the reset of a machine that is stopped is seen', async () => {
  await desk.page.locator('#pause').click();
  await eventually(() => desk.text('#state')).toMatch(/PAUSED/);
  await desk.page.locator('#reset').click();
  await eventually(() => desk.text('#state')).toMatch(/RESET/);
  await eventually(() => desk.text('.pane-registers .moment')).toMatch(/^reset, /);
  await desk.page.locator('#run').click();
  await eventually(() => desk.text('#state')).toMatch(/RUNNING/);
});

test('a machine that is stopped between calls runs for a person until an agent takes it', async () => {
  await desk.call('machine_start', { kind: 'c64', name: 'still' });
  await desk.take('still');
  await eventually(() => desk.text('#hint')).toMatch(/press Run/);
  await desk.page.locator('#run').click();
  await eventually(() => desk.text('#state')).toMatch(/^still RUNNING .* for you/);
  await desk.page.locator('#screen').click();
  await desk.page.keyboard.type('yes', { delay: 120 });
  await desk.reads(/yes/i, 'screen_read', { machine: 'still' });
  await desk.call('pause', { machine: 'still' });
  await eventually(() => desk.text('#state')).toMatch(/^still PAUSED/);
  const cycles = async () => /still .*cycle [\d,]+/.exec(await desk.call('machine_list', {}))?.[0];
  const then = await cycles();
  await desk.page.waitForTimeout(200);
  expect(await cycles()).toBe(then);
  await desk.call('machine_stop', { machine: 'still' });
});

test('a page that nobody sees gets no pictures', async () => {
  await desk.take('c64-1');
  const hide = (isHidden: boolean) =>
    desk.page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));`);
  await desk.call('program_run', { ...c64, path: await desk.file('spin.asm', spin) });
  await desk.page.locator('#run').click();
  const before = await painted();
  await eventually(painted).toBeGreaterThan(before + 5);
  await hide(true);
  // What was on its way comes; then nothing does.
  let hidden = -1;
  await eventually(async () => {
    hidden = await painted();
    await desk.page.waitForTimeout(500);
    return (await painted()) === hidden;
  }).toBe(true);
  await hide(false);
  await eventually(painted).toBeGreaterThan(hidden + 5);
});

test('without a mouse: one chord leaves the screen, which takes all other keys', async () => {
  await desk.page.locator('#screen').click();
  await desk.page.keyboard.press('Tab');
  expect(await desk.page.evaluate('document.activeElement.id')).toBe('screen');
  await desk.page.keyboard.press('Control+Shift+Enter');
  expect(await desk.page.evaluate('document.activeElement.id')).toBe('state');
  await desk.page.keyboard.press('Tab');
  expect(await desk.page.evaluate('document.activeElement.parentElement.id')).toBe('keys');
});

test('what is read aloud changes with the state, not with every cycle', async () => {
  await eventually(() => desk.text('#announcement')).toBe('c64-1 RUNNING');
  expect(await desk.page.locator('#state').getAttribute('aria-live')).toBe(null);
});

test('a dot of the machine is a whole number of dots', async () => {
  const width = desk.page.locator('#screen').evaluate((screen) => Reflect.get(Object(screen), 'clientWidth'));
  expect([384, 768, 1152]).toContain(await width);
});

test('on a telephone nothing is wider than the window', async () => {
  await desk.page.setViewportSize({ width: 360, height: 700 });
  const width = () => desk.page.evaluate('document.documentElement.scrollWidth');
  expect(await width()).toBeLessThanOrEqual(360);
  expect(
    await desk.page.locator('#screen').evaluate((screen) => Reflect.get(Object(screen), 'clientWidth')),
  ).toBeGreaterThan(300);
  await desk.page.setViewportSize({ width: 1300, height: 860 });
});

test('nothing went wrong in the browser', () => {
  expect(desk.problems).toEqual([]);
});

test.each([
  ['no token', undefined],
  ['a token in the address, where logs would have it', undefined, '?token=TOKEN'],
  ['a wrong token', 'wrong'],
])('%s opens no socket', async (_what, token, query = '') => {
  const address = new URL(`/view${query.replace('TOKEN', desk.program.token ?? '')}`, desk.program.url);
  const protocols = [
    'frontpanel',
    ...(token === undefined ? [] : [`frontpanel.token.${Buffer.from(token).toString('base64url')}`]),
  ];
  const socket = new WebSocket(address.href.replace('http', 'ws'), protocols);
  await expect(
    new Promise((resolve) => {
      socket.on('error', ({ message }) => resolve(message));
      socket.on('open', () => resolve('open'));
    }),
  ).resolves.toContain('401');
});
