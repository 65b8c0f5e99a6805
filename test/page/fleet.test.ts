import { once } from 'node:events';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Fleet } from '../support/fleet.ts';
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

async function open(gateway: HttpProgram, machine: string): Promise<Page> {
  const page = await patient(await browser.newPage());
  await page.goto(new URL(`/?token=${gateway.token}#machine=${machine}`, gateway.url).href);
  await page.locator('#screen[data-painted]').waitFor();
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
