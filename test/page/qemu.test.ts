import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { Desk, eventually } from './desk.ts';
import { inputEcho } from './guests/input-echo.ts';
import { placeEcho } from './guests/place-echo.ts';

let desk: Desk;
let port: number;
const reader = { machine: 'qemu-1', reader: 'test', max_chars: 20_000 };

beforeAll(async () => {
  desk = await Desk.open('--toolset', 'all');
  const drives = [`${await desk.file('echo.img', inputEcho)},floppy`];
  await desk.call('machine_start', { kind: 'qemu', options: { memory: 16, drives } });
  port = await freePort();
  const board = { memory: 16, drives, gpu: 'none', network: 'user', forward: [`${port}:80`] };
  await desk.call('machine_start', { kind: 'qemu', name: 'board', options: board });
  await desk.visit();
  await desk.call('console_read', { ...reader, expect: 'Mfa ', timeout_ms: 50_000 });
  await desk.take('qemu-1');
}, 180_000);

afterAll(() => desk?.[Symbol.asyncDispose]());

/** What the guest got since it was last asked: bytes of the keyboard and of the mouse. The last may be cut off. */
async function got(): Promise<string> {
  return (/\]\n(.*)\n\[/s.exec(await desk.call('console_read', reader))?.[1] ?? '').replaceAll(/\s/g, '');
}

/** Reads what does not matter, up to a place between two packets. */
async function drain(wanted: RegExp): Promise<void> {
  let all = '';
  await eventually(async () => {
    all += await got();
    return all;
  }).toMatch(wanted);
}

/** What the mouse still had to say may come at any time: before what is asked for, or among the keys. */
async function expectBytes(wanted: string): Promise<void> {
  const isOfKeys = wanted.startsWith('K');
  let all = '';
  await eventually(async () => {
    all += await got();
    if (isOfKeys) return all.replaceAll(/M../g, '').replaceAll(/(?<=.)(?=K)/g, ' ');
    return all.replaceAll(/(?<=.)(?=[KM])/g, ' ').slice(-wanted.length);
  }).toBe(wanted);
}

test.each([
  ['Escape', 'K01 K81'],
  ['Tab', 'K0f K8f'],
  ['F1', 'K3b Kbb'],
  ['Shift+F1', 'K2a K3b Kbb Kaa'],
  ['Control+c', 'K1d K2e Kae K9d'],
  ['Alt+F4', 'K38 K3e Kbe Kb8'],
  ['ArrowUp', 'Ke0 K48 Ke0 Kc8'],
  ['PageDown', 'Ke0 K51 Ke0 Kd1'],
  ['Delete', 'Ke0 K53 Ke0 Kd3'],
  ['NumpadAdd', 'K4e Kce'],
  ['ControlRight', 'Ke0 K1d Ke0 K9d'],
])('%s is pressed and released', async (key, wanted) => {
  await desk.page.keyboard.press(key, { delay: 20 });
  await expectBytes(wanted);
});

test('capitals have their shift, also of another layout', async () => {
  await desk.page.keyboard.press('Shift+A', { delay: 20 });
  await expectBytes('K2a K1e K9e Kaa');
  await desk.strike('/', 'Digit7', { shift: true });
  await expectBytes('K2a Kaa K35 Kb5 K2a Kaa');
});

test('a held key repeats, which nobody else would do', async () => {
  await desk.page.keyboard.down('a');
  await desk.page.keyboard.down('a');
  await desk.page.keyboard.down('a');
  await desk.page.keyboard.up('a');
  await expectBytes('K1e K1e K1e K9e');
});

test('the buttons press what the browser keeps', async () => {
  await desk.page.locator('#keys button', { hasText: 'Ctrl+Alt+Del' }).click({ delay: 50 });
  await expectBytes('K1d K38 Ke0 K53 Ke0 Kd3 Kb8 K9d');
});

test('what is pasted is typed', async () => {
  await desk.page.locator('#paste').click();
  await desk.page.locator('#paste-text').fill('aB');
  await desk.page.locator('#paste-send').click();
  await expectBytes('K1e K9e K2a K30 Kb0 Kaa');
});

test('the mouse is captured for a guest that knows only movements', async () => {
  await eventually(() => desk.text('#hint')).toMatch(/“Capture mouse” sends its movements/);
  await desk.page.locator('#capture').click();
  await eventually(() => desk.page.evaluate('document.pointerLockElement?.id')).toBe('screen');
  await drain(/^(?:K..|(?:M..){3})*$/);
  const box = await desk.page.locator('#capture').boundingBox();
  if (!box) throw new Error('no button');
  const [x, y] = [Math.round(box.x), Math.round(box.y)];
  await desk.page.mouse.move(x, y);
  await drain(/^(?:(?:M..){3})+$/);
  await desk.page.mouse.move(x + 7, y + 5);
  await expectBytes('M28 M07 Mfb');
  await desk.page.mouse.down();
  await expectBytes('M09 M00 M00');
  await desk.page.mouse.up();
  await expectBytes('M08 M00 M00');
  await desk.page.mouse.wheel(0, 100);
  await desk.page.evaluate('document.exitPointerLock()');
});

test('a machine that is stopped says so, and lets go of what was held when it runs', async () => {
  await desk.page.locator('#screen').click();
  await drain(/^(?:K..|(?:M..){3})*$/);
  await desk.page.keyboard.down('b');
  await expectBytes('K30');
  await desk.call('pause', { machine: 'qemu-1' });
  await desk.page.keyboard.up('b');
  await desk.page.keyboard.press('c');
  await desk.told(/is stopped/);
  await desk.page.locator('#run').click();
  await expectBytes('Kb0');
});

test('a guest that knows places gets places', async () => {
  const drives = [`${await desk.file('place.img', placeEcho)},floppy`];
  await desk.call('machine_start', { kind: 'qemu', name: 'pointing', options: { memory: 16, drives } });
  const pointing = { machine: 'pointing', reader: 'test' };
  await desk.reads(/READY/, 'console_read', { ...pointing, from: 'start' });
  await desk.take('pointing');
  await eventually(() => desk.text('#hint')).toMatch(/the machine follows the pointer and the wheel/);
  const box = await desk.page.locator('#screen').boundingBox();
  if (!box) throw new Error('no screen');
  const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const;
  await desk.page.mouse.move(...at(0.5005, 0.2505));
  await desk.reads(/P00 ?80[0-9a-f]{2}40[0-9a-f]{2}/, 'console_read', { ...pointing, from: 'start' });
  await desk.page.mouse.down({ button: 'right' });
  await desk.reads(/P10/, 'console_read', { ...pointing, from: 'start' });
  await desk.page.mouse.up({ button: 'right' });
  await desk.call('machine_stop', { machine: 'pointing' });
});

test('without a display its serial port is the screen', async () => {
  await desk.page.locator('#machines button', { hasText: 'board' }).click();
  await eventually(() => desk.text('#terminal')).toMatch(/READY/);
  expect(await desk.page.locator('#screen').isVisible()).toBe(false);
  expect(await desk.page.locator('#views').isVisible()).toBe(false);
});

test('packets of a capture are there while the machine runs', async () => {
  const pane = desk.page.locator('.pane-network');
  await desk.page.locator('.pane-bar button', { hasText: /^Network$/ }).click();
  await pane.getByText('Start capture').click();
  await pane.locator('ol').waitFor({ state: 'attached' });
  // Whoever calls from outside is looked for in the guest's network, whether the guest answers or not.
  const visitor = connect(port, '127.0.0.1').on('error', () => {});
  await eventually(() => pane.locator('li').allTextContents()).toContainEqual(
    expect.stringMatching(/ARP who has 10\.0\.2\.15/),
  );
  visitor.destroy();
});

test('nothing went wrong in the browser', () => {
  expect(desk.problems).toEqual([]);
});
