import { once } from 'node:events';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Fleet, killed } from '../support/fleet.ts';
import type { HttpProgram } from '../support/http-program.ts';
import { httpClient } from '../support/mcp-client.ts';
import { canType, eventually, launchBrowser, patient, told } from './desk.ts';

/** The page of two gateways, with the machines of two hosts, one of which has them in threads. */
let fleet: Fleet;
let first: HttpProgram;
let second: HttpProgram;
let browser: Browser;
let agent: Awaited<ReturnType<typeof httpClient>>;

beforeAll(async () => {
  fleet = await Fleet.open();
  await fleet.station('lab1', '--threads', '0');
  await fleet.station('lab2', '--threads', '1');
  [first, second] = await Promise.all([fleet.gateway(), fleet.gateway()]);
  browser = await launchBrowser();
  agent = await httpClient(second, 'modern');
  await call('machine_start', { kind: 'c64', name: 'c', options: { clock: 'real', on: 'lab1' } });
  await call('machine_start', { kind: 'c64', name: 't', options: { clock: 'real', on: 'lab2' } });
  for (const machine of ['c', 't']) await call('run', { machine, detach: 'real' });
}, 180_000);

afterAll(async () => {
  await agent?.close();
  await browser?.close();
  await fleet?.[Symbol.asyncDispose]();
}, 60_000);

async function call(name: string, args: Record<string, unknown>): Promise<string> {
  const { content } = await agent.callTool({ name, arguments: args });
  return (content as { text?: string }[]).map(({ text }) => text ?? '').join('\n');
}

async function open(gateway: HttpProgram, machine: string, seen = '#screen[data-painted]'): Promise<Page> {
  const page = await patient(await browser.newPage());
  await page.goto(new URL(`/?token=${gateway.token}#machine=${machine}`, gateway.url).href);
  await page.locator(seen).waitFor();
  await canType(page);
  return page;
}

const hold = (page: Page) => page.locator('#hold').textContent();

test.each(['c', 't'])('a person at one gateway has %s alone, also for people at another', async (machine) => {
  const [ann, bob] = [await open(first, machine), await open(second, machine)];
  await ann.locator('#take').click();
  await eventually(() => hold(ann)).toMatch(/You have control/);
  await eventually(() => hold(bob)).toMatch(/^Held by .*Take over$/);
  await bob.locator('#pause').click();
  await told(bob, /is held by a person/);
  expect(await call('pause', { machine })).toMatch(/is held by a person/);
  await ann.locator('#hand-back').click();
  await eventually(() => hold(bob)).toBe('Take control');
  await Promise.all([ann, bob].map((page) => page.close()));
});

const state = (page: Page) => page.locator('#state').textContent();
const painted = async (page: Page) => Number(await page.locator('#screen').getAttribute('data-painted'));
/** By more than can have been on its way. */
const moves = async (page: Page) => {
  const before = await painted(page);
  await eventually(() => painted(page)).toBeGreaterThan(before + 12);
};

test('a machine whose host does not answer is said to be, can be left alone, and is seen again when the host is back', async () => {
  const station = await fleet.station('lab3', '--threads', '0');
  await call('machine_start', { kind: 'c64', name: 'k', options: { clock: 'real', on: 'lab3' } });
  await call('machine_start', { kind: 'console', name: 'line', options: { command: ['cat'], on: 'lab3' } });
  await call('run', { machine: 'k', detach: 'real' });
  const [screen, terminal] = [await open(first, 'k'), await open(first, 'line', '#terminal')];
  const run = screen.locator('#run');
  station.kill('SIGSTOP');
  for (const page of [screen, terminal])
    await eventually(() => state(page)).toMatch(/UNREACHABLE: its host lab3 does not/);
  await eventually(() => run.isDisabled()).toBe(true);
  station.kill('SIGCONT');
  await eventually(() => state(screen)).toMatch(/^k RUNNING/);
  await eventually(() => state(terminal)).toMatch(/^line LINK UP/);
  await moves(screen);

  await killed(station);
  for (const page of [screen, terminal]) await eventually(() => state(page)).toMatch(/UNREACHABLE/);
  await screen.locator('#screen').click();
  await screen.keyboard.press('a');
  await told(screen, /Host lab3 of k does not answer; nothing was done/);
  await fleet.station('lab3', '--threads', '0');
  await told(screen, /k has ended/);
  await told(terminal, /line has ended/);
  await call('machine_start', { kind: 'c64', name: 'k', options: { clock: 'real', on: 'lab3' } });
  await screen.locator('#machines button', { hasText: 'k' }).click();
  await eventually(() => state(screen)).toMatch(/^k RUNNING/);
  await moves(screen);
  await Promise.all([screen, terminal].map((page) => page.close()));
  await call('machine_stop', { machine: 'k' });
}, 300_000);

test('what somebody has in their hands is free when their gateway dies', async () => {
  const [ann, bob] = [await open(first, 'c'), await open(second, 't')];
  await ann.locator('#take').click();
  await eventually(() => hold(ann)).toMatch(/You have control/);
  await bob.locator('#take').click();
  await eventually(() => hold(bob)).toMatch(/You have control/);
  const ended = once(first.child, 'exit');
  first.child.kill('SIGKILL');
  await ended;
  await eventually(() => call('pause', { machine: 'c' })).toMatch(/^c PAUSED/m);
  // Who is still there keeps what they have.
  expect(await call('pause', { machine: 't' })).toMatch(/is held by a person/);
  await ann.close();
  await bob.close();
});
