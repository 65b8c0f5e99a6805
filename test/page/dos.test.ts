import { afterAll, beforeAll, expect, test } from 'vitest';
import { Desk, eventually, tap } from './desk.ts';

/**
 * Shows the pointer, then keeps buttons, column and line of the mouse (INT 33h, function 3) as words at 0000:04F0
 * until a key is pressed.
 */
const mouseProgram = Uint8Array.from([
  ...[0x31, 0xc0, 0xcd, 0x33, 0xb8, 0x01, 0x00, 0xcd, 0x33, 0x31, 0xc0, 0x8e, 0xd8, 0xb8, 0x03, 0x00, 0xcd, 0x33],
  ...[0x89, 0x1e, 0xf0, 0x04, 0x89, 0x0e, 0xf2, 0x04, 0x89, 0x16, 0xf4, 0x04, 0xb4, 0x01, 0xcd, 0x16, 0x74, 0xe9],
  ...[0xb8, 0x00, 0x4c, 0xcd, 0x21],
]);

let desk: Desk;
const dos = { machine: 'dos-1' };

beforeAll(async () => {
  desk = await Desk.open('--toolset', 'all');
  await desk.file('MOUSE.COM', mouseProgram);
  await desk.call('machine_start', { kind: 'dos', options: { clock: 'real', folder: '.' } });
  await desk.visit();
  await desk.take('dos-1');
}, 180_000);

afterAll(() => desk?.[Symbol.asyncDispose]());

const shows = (pattern: RegExp) => desk.reads(pattern, 'screen_read', dos);
const press = (key: string) => tap(desk.page, [key]);
const pressCtrlC = () => tap(desk.page, ['c'], { ctrl: true });
const type = (text: string) => tap(desk.page, [...text]);

async function bytes(address: string, length: number): Promise<number[]> {
  const { bytes: hex } = JSON.parse(await desk.call('memory_read', { ...dos, address, length, format: 'json' }));
  return [...Buffer.from(String(hex), 'hex')];
}

async function mouse(): Promise<number[]> {
  const [b0 = 0, b1 = 0, x0 = 0, x1 = 0, y0 = 0, y1 = 0] = await bytes('0000:04F0', 6);
  return [b0 | (b1 << 8), x0 | (x1 << 8), y0 | (y1 << 8)];
}

/** The BIOS keeps there which of Shift, Ctrl and Alt are down. */
const shiftFlags = async () => ((await bytes('0000:0417', 1))[0] ?? 0) & 0x0f;

test('the keys of the prompt: Enter, F3, arrows, Backspace, Tab, Esc, Ctrl+C', async () => {
  await type('echo One');
  await press('Enter');
  await shows(/^One\s*$/m);
  await press('F3');
  await press('Backspace');
  await type('ly');
  await press('Enter');
  await shows(/^Only\s*$/m);
  for (let count = 0; count < 5; count++) await press('ArrowRight');
  await press('Tab');
  await type('right');
  await press('Enter');
  await shows(/^\s*right\s*$/m);
  await type('nonsense');
  await press('Escape');
  await shows(/nonsense\\/);
  await type('x');
  await pressCtrlC();
  await shows(/x\^C/);
});

test('held keys are held, and repeat as this keyboard does', async () => {
  await desk.page.keyboard.down('q');
  await shows(/qqq/);
  await desk.page.keyboard.up('q');
  await press('Escape');
  await desk.page.keyboard.down('Shift');
  await desk.page.keyboard.down('Alt');
  await eventually(shiftFlags).toBe(2 | 8);
  await desk.page.keyboard.up('Alt');
  await desk.page.keyboard.up('Shift');
  await eventually(shiftFlags).toBe(0);
});

test('losing the focus lets go of everything', async () => {
  await desk.page.keyboard.down('Control');
  await desk.page.keyboard.down('Shift');
  await eventually(shiftFlags).toBe(2 | 4);
  await desk.page.locator('#pause').focus();
  await eventually(shiftFlags).toBe(0);
  await desk.page.keyboard.up('Shift');
  await desk.page.keyboard.up('Control');
});

test('keys of another layout type what is printed on them, or what is in their place', async () => {
  await desk.page.locator('#screen').click();
  await pressCtrlC();
  for (const [key, code, held] of [
    ['z', 'KeyY', {}],
    ['/', 'Digit7', { shift: true }],
    ['&', 'Digit6', { shift: true }],
    ['@', 'KeyQ', { altGraph: true }],
    ['-', 'Slash', {}],
  ] as const) {
    await desk.strike(key, code, held);
  }
  await shows(/>z\/&@-/);
  await pressCtrlC();
  await desk.page.locator('#place').check();
  await desk.page.locator('#screen').click();
  await desk.strike('z', 'KeyY');
  await desk.strike('-', 'Slash');
  await shows(/>y\//);
  await desk.page.locator('#place').uncheck();
  await desk.page.locator('#screen').click();
  await pressCtrlC();
});

test('what a person typed is part of the machine’s past', async () => {
  await type('rem past');
  await shows(/rem past/);
  await desk.call('pause', dos);
  expect(await desk.call('step', { ...dos, back: true })).toMatch(/PAUSED/);
  expect(await desk.call('screen_read', dos)).toMatch(/rem past/);
  await desk.page.locator('#run').click();
  await eventually(() => desk.text('#state')).toMatch(/RUNNING/);
  await desk.page.locator('#screen').click();
  await press('Escape');
});

test('the mouse points where it is, presses, and when captured tells its movements', async () => {
  await pressCtrlC();
  await type('mouse');
  await press('Enter');
  await eventually(mouse).toEqual([0, 320, 96]);
  const box = await desk.page.locator('#screen').boundingBox();
  if (!box) throw new Error('no screen');
  const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const;
  await desk.page.mouse.move(...at(0.251, 0.751));
  await eventually(mouse).toEqual([0, 160, 144]);
  await desk.page.mouse.down();
  await eventually(mouse).toEqual([1, 160, 144]);
  await desk.page.mouse.move(...at(0.5, 0.5));
  await eventually(mouse).toEqual([1, 320, 96]);
  await desk.page.mouse.up();
  await desk.page.mouse.down({ button: 'right' });
  await eventually(mouse).toEqual([2, 320, 96]);
  await desk.page.mouse.up({ button: 'right' });
  await eventually(mouse).toEqual([0, 320, 96]);

  await desk.page.locator('#capture').click();
  await eventually(() => desk.page.evaluate('document.pointerLockElement?.id')).toBe('screen');
  const [, before = 0] = await mouse();
  const near = await desk.page.locator('#capture').boundingBox();
  if (!near) throw new Error('no button');
  await desk.page.mouse.move(near.x + 100, near.y);
  await eventually(async () => (await mouse())[1]).toBeGreaterThan(before);
  await desk.page.evaluate('document.exitPointerLock()');
  await eventually(() => desk.page.evaluate('document.pointerLockElement === null')).toBe(true);
});

test('a mouse that only passes by disturbs nobody', async () => {
  // What was done before it has arrived when this has.
  await desk.page.locator('#screen').focus();
  await desk.page.keyboard.down('Shift');
  await eventually(shiftFlags).toBe(2);
  await desk.page.keyboard.up('Shift');
  await eventually(shiftFlags).toBe(0);
  await desk.page.locator('#pause').focus();
  const before = await mouse();
  await desk.page.locator('#screen').hover({ position: { x: 30, y: 30 } });
  await desk.page.locator('#run').hover();
  expect(await mouse()).toEqual(before);
});

test('its serial port is a terminal', async () => {
  await desk.page.locator('#screen').click();
  await press('Escape');
  await pressCtrlC();
  await type('echo to the line > com1');
  await press('Enter');
  await desk.page.locator('#views button', { hasText: 'Console' }).click();
  await eventually(() => desk.text('#terminal')).toMatch(/to the line/);
  await desk.page.locator('#views button', { hasText: 'Screen' }).click();
});

test('Ctrl+Alt+Del starts it anew', async () => {
  await desk.take('dos-1');
  await type('before');
  await shows(/before/);
  const button = desk.page.locator('#keys button', { hasText: 'Ctrl+Alt+Del' });
  await button.hover();
  await desk.page.mouse.down();
  await eventually(() => desk.call('screen_read', dos)).not.toMatch(/before/);
  await desk.page.mouse.up();
  await shows(/C:\\>/);
});

test('nothing went wrong in the browser', () => {
  expect(desk.problems).toEqual([]);
});
