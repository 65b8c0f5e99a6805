import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { HttpProgram } from '../support/http-program.ts';
import { SlowProxy } from '../support/slow-proxy.ts';
import { canType, Desk, eventually, told } from './desk.ts';

/** What the page says when something is not to be had, or not any more. */
const token = 'one-token-for-both-of-these-servers';
let desk: Desk;

beforeAll(async () => {
  desk = await Desk.open('--token', token, '--port', String(await freePort()));
  for (const [kind, name] of [
    ['c64', 'one'],
    ['plus4', 'two'],
  ]) {
    await desk.call('machine_start', { kind, name, options: { clock: 'real' } });
    await desk.call('run', { machine: name, detach: 'real' });
  }
  await desk.visit();
}, 180_000);

afterAll(() => desk?.[Symbol.asyncDispose]());

async function visitor(port: string | number = new URL(desk.program.url).port): Promise<Page> {
  const page = await desk.another();
  await page.goto(`http://127.0.0.1:${port}/?token=${token}#machine=one`);
  await page.locator('#screen[data-painted]').waitFor();
  await canType(page);
  return page;
}

const holdOf = (page: Page) => page.locator('#hold').textContent();
const hintOf = (page: Page) => page.locator('#hint').textContent();

test('who is taken a machine from is told by whom, and others what they can do', async () => {
  const [ann, bob] = [await visitor(), await visitor()];
  await ann.locator('#take').click();
  await eventually(() => hintOf(bob)).toMatch(/^one is held by a person.*“Take over”/);
  expect(await desk.call('machine_stop', { machine: 'one' })).toMatch(/held by a person.*this was not carried out/);
  await bob.locator('#screen').click();
  await bob.keyboard.press('x');
  await told(bob, /one is held by a person/);
  // Leaving the screen lets go of what was held, which nobody is refused.
  await eventually(() => bob.locator('#trouble').isHidden()).toBe(true);
  await bob.locator('#state').focus();
  await bob.locator('#take').click();
  await told(ann, /^a person has taken over one; you no longer have control of it/);
  expect(await bob.evaluate('troubles')).toEqual([]);
  await eventually(() => hintOf(bob)).toMatch(/Click the screen and type/);
  // What one gives back oneself is no loss.
  await bob.locator('#hand-back').click();
  await eventually(() => holdOf(ann)).toBe('Take control');
  expect(await bob.evaluate('troubles')).toEqual([]);
  await Promise.all([ann, bob].map((page) => page.context().close()));
});

test('who loses a machine with their connection is told when it is back', async () => {
  await using line = await SlowProxy.to(desk.program.url, 10_000_000);
  const page = await visitor(line.port);
  await page.locator('#take').click();
  await eventually(() => holdOf(page)).toMatch(/You have control/);
  line.cut();
  await told(page, /You no longer have control of one: agents can use it again/);
  await page.context().close();
});

test('a step of a machine that runs is refused with the reason', async () => {
  const { page } = desk;
  await page.locator('#machines button', { hasText: 'one' }).click();
  await eventually(() => page.locator('#step-into').getAttribute('title')).toMatch(/press Pause/);
  await page.locator('#state').focus();
  await page.keyboard.press('F11');
  await desk.told(/It is running: press Pause/);
  await page.locator('#pause').click();
  await eventually(() => page.locator('#step-into').getAttribute('title')).toBe(
    'One instruction, into subroutines (F11)',
  );
  await page.locator('#run').click();
});

test('a keyboard that has some of the keys itself is described as it is', async () => {
  await desk.page.locator('#machines button', { hasText: 'two' }).click();
  await eventually(() => desk.text('#hint')).toMatch(
    /layout; other keys go by their position\.Tab and the left Ctrl key are/,
  );
  expect(await desk.text('#hint')).not.toMatch(/Esc is|RESTORE/);
  expect(await desk.page.locator('#keys button').allTextContents()).toEqual(expect.arrayContaining(['ESC', 'HELP']));
  await desk.page.locator('#machines button', { hasText: 'one' }).click();
  await eventually(() => desk.text('#hint')).toMatch(/Esc is RUN\/STOP, Page Up is RESTORE, Tab and/);
});

test('a browser that keeps the mouse, and one without full screen, leave no dead buttons', async () => {
  const page = await desk.another();
  await page.addInitScript(`
    Element.prototype.requestPointerLock = async () => { throw new DOMException('The user has exited the lock.'); };
    Object.defineProperty(Document.prototype, 'fullscreenEnabled', { get: () => false });
  `);
  await page.goto(new URL(`/?token=${token}#machine=one`, desk.program.url).href);
  await page.locator('#capture').click();
  await told(page, /The browser did not let the page capture the mouse/);
  expect(await page.locator('#full').count()).toBe(0);
  await page.context().close();
  const phone = await desk.another({ hasTouch: true, isMobile: true, viewport: { width: 400, height: 800 } });
  await phone.goto(new URL(`/?token=${token}#machine=one`, desk.program.url).href);
  await eventually(() => hintOf(phone)).toMatch(/“Keyboard” opens your on-screen keyboard/);
  expect(await phone.locator('#capture').isHidden()).toBe(true);
  await phone.context().close();
});

test('a machine that ends while somebody looks at it is said to have ended', async () => {
  await desk.call('machine_start', { kind: 'dos', name: 'three' });
  await desk.take('three');
  await desk.call('machine_stop', { machine: 'three' });
  await desk.told(/^three has ended\./);
  // Nobody looks at this one.
  await desk.call('machine_start', { kind: 'dos', name: 'four' });
  await desk.page.locator('.card[data-machine="four"]').waitFor();
  await desk.call('machine_stop', { machine: 'four' });
  await eventually(() => desk.page.locator('.card').count()).toBe(2);
  expect(await desk.page.evaluate('troubles')).toEqual([]);
});

test('what is asked of a server that is gone is answered, and goes on when it is back', async () => {
  const { page } = desk;
  const other = await visitor();
  await other.locator('#take').click();
  await eventually(() => holdOf(other)).toMatch(/You have control/);
  await page.locator('#start').click();
  await page.locator('#start-kind').selectOption('c64');
  await page.locator('#start-dialog [placeholder="c64-1"]').fill('five');
  await desk.program[Symbol.asyncDispose]();
  await eventually(() => desk.text('header .link')).toBe('no connection');
  // Of what was, nothing is said to be so still.
  await eventually(() => other.locator('#state').textContent()).toMatch(/connection to the server is lost/);
  expect(await other.locator('#hold').count()).toBe(0);
  expect(await hintOf(other)).toBe('');
  await page.locator('#start-now').click();
  await eventually(() => desk.text('#start-dialog [role=alert]')).toBe(
    'The connection to the server is lost. Wait until the page has reconnected.',
  );
  await using again = await HttpProgram.start(desk.sandbox, '--port', new URL(desk.program.url).port, '--token', token);
  expect(again.token).toBe(token);
  await eventually(() => desk.text('header .link')).toBe('live');
  await page.locator('#start-now').click();
  await eventually(() => desk.text('#state')).toMatch(/^five RUNNING/);
});
