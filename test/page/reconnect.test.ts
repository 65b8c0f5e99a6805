import { afterAll, beforeAll, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { HttpProgram } from '../support/http-program.ts';
import { canType, Desk, eventually } from './desk.ts';

const token = 'one-token-for-both-of-these-servers';
let desk: Desk;
let again: HttpProgram | undefined;

beforeAll(async () => {
  desk = await Desk.open('--token', token, '--port', String(await freePort()));
  await desk.call('machine_start', { kind: 'c64', options: { clock: 'real' } });
  await desk.visit();
  await desk.take('c64-1');
}, 180_000);

afterAll(async () => {
  await again?.[Symbol.asyncDispose]();
  await desk?.[Symbol.asyncDispose]();
});

const painted = async () => Number((await desk.page.locator('#screen').getAttribute('data-painted')) ?? 0);
const calls = () => desk.page.locator('#calls li').count();
/** By more than can have been on its way. */
const moves = async () => eventually(painted).toBeGreaterThan((await painted()) + 12);
const port = () => new URL(desk.program.url).port;

test('a machine that is started anew under its name is seen at once', async () => {
  await moves();
  await desk.call('machine_stop', { machine: 'c64-1' });
  await desk.call('machine_start', { kind: 'c64', name: 'c64-1', options: { clock: 'real' } });
  await moves();
  await canType(desk.page);
  await desk.page.locator('#screen').click();
  await desk.page.keyboard.type('new', { delay: 120 });
  await desk.reads(/new/i, 'screen_read', { machine: 'c64-1' });
});

test('a machine that has ended leaves no picture behind', async () => {
  await desk.call('machine_start', { kind: 'dos', name: 'other' });
  await desk.take('other');
  await desk.call('machine_stop', { machine: 'other' });
  await eventually(() => desk.text('#state')).toMatch(/^c64-1 RUNNING/);
});

test('a server that is gone is said to be, and nothing can be pressed', async () => {
  await eventually(calls).toBeGreaterThan(2);
  await desk.program[Symbol.asyncDispose]();
  await eventually(() => desk.text('#state')).toMatch(/connection to the server is lost/);
  await eventually(() => desk.page.locator('#run').isDisabled()).toBe(true);
  await eventually(() => desk.text('#announcement')).toMatch(/connection to the server is lost/);
});

test('another server with another token says what is to be done', async () => {
  const stranger = await HttpProgram.start(
    desk.sandbox,
    '--port',
    port(),
    '--token',
    'some-other-token-of-some-length',
  );
  await eventually(() => desk.text('#state')).toMatch(/new token: open the address/);
  await stranger[Symbol.asyncDispose]();
});

test('when it is back the page is too, with what there is now and nothing twice', async () => {
  again = await HttpProgram.start(desk.sandbox, '--port', port(), '--token', token);
  await eventually(() => desk.text('#state')).toMatch(/No machine is running/);
  await eventually(calls).toBe(0);
  await desk.call('machine_start', { kind: 'c64', options: { clock: 'real' } });
  await eventually(() => desk.text('#state')).toMatch(/^c64-1 RUNNING/);
  await moves();
  await eventually(calls).toBe(1);
  await eventually(() => desk.page.locator('#run').isDisabled()).toBe(false);
});
