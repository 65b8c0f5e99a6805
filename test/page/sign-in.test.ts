import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HttpProgram } from '../support/http-program.ts';
import { Sandbox } from '../support/sandbox.ts';
import { eventually, launchBrowser, patient } from './desk.ts';

const owner = 'a-token-for-the-owner';
const watcher = 'a-token-that-only-watches';
let sandbox: Sandbox;
let program: HttpProgram;
let browser: Browser;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  const tokens = [{ name: 'watcher', role: 'observe', token: watcher }];
  await writeFile(join(sandbox.dir, 'frontpanel.config.json'), JSON.stringify({ tokens }));
  program = await HttpProgram.start(sandbox, '--token', owner, '--demo');
  browser = await launchBrowser();
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await program?.[Symbol.asyncDispose]();
  await sandbox?.[Symbol.asyncDispose]();
});

/** A new browser as far as it remembers anything; asked for without a token, the address has none. */
async function visit(address = '/'): Promise<{ page: Page; problems: string[] }> {
  const page = await patient(await (await browser.newContext()).newPage());
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(new URL(address, program.url).href);
  return { page, problems };
}

const state = (page: Page) => page.locator('#state').textContent();
const stored = (page: Page) => page.evaluate('JSON.stringify(sessionStorage)');

test.each([`/#token=${owner}`, `/?token=${owner}`])(
  '%s: the token leaves the address bar, and stays for a reload',
  async (address) => {
    const { page, problems } = await visit(address);
    await eventually(() => state(page)).toMatch(/^c64-1 RUNNING/);
    expect(new URL(page.url()).href).toBe(new URL('/', program.url).href);
    expect(await page.locator('#sign-in').isVisible()).toBe(false);
    await page.reload();
    await eventually(() => state(page)).toMatch(/^c64-1 RUNNING/);
    expect(page.url()).not.toContain(owner);
    expect(problems).toEqual([]);
    await page.context().close();
  },
);

test('the printed address has the one token where browsers send it to nobody, and none of several', async () => {
  await using elsewhere = await Sandbox.open();
  await using single = await HttpProgram.start(elsewhere, '--token', owner);
  expect(single.log).toMatch(/^Live page: http:\/\/127\.0\.0\.1:\d+\/#token=a-token-for-the-owner$/m);
  expect(program.log).toMatch(/^Live page: http:\/\/127\.0\.0\.1:\d+\/$/m);
  expect(program.log).not.toContain(owner);
});

test('without a token there is a form for one; a wrong one is said to be; the right one opens the page', async () => {
  const { page, problems } = await visit();
  await page.locator('#sign-in').waitFor();
  expect(await page.locator('main').isVisible()).toBe(false);
  expect(await page.locator('#sign-in-why').textContent()).toBe('');
  expect(await page.evaluate('document.activeElement.id')).toBe('sign-in-token');
  await page.keyboard.type('not-a-token-at-all');
  await page.keyboard.press('Enter');
  await eventually(() => page.locator('#sign-in-why').textContent()).toBe('This server does not accept that token.');
  await page.locator('#sign-in-token').fill(`  ${owner} `);
  await page.getByRole('button', { name: 'Continue' }).click();
  await eventually(() => state(page)).toMatch(/^c64-1 RUNNING/);
  expect(await page.locator('#sign-in').isVisible()).toBe(false);
  expect(page.url()).toBe(new URL('/', program.url).href);
  expect(await stored(page)).toContain(owner);
  expect(problems).toEqual([]);
  await page.context().close();
});

test('who may only observe sees everything and presses nothing, on the page and past it', async () => {
  const { page } = await visit(`/#token=${watcher}`);
  await eventually(() => state(page)).toMatch(/^c64-1 RUNNING/);
  await eventually(async () => Number(await page.locator('#screen').getAttribute('data-painted'))).toBeGreaterThan(1);
  expect(await page.locator('#watching').textContent()).toBe('Watching only: watcher has the role “observe”.');
  for (const button of ['run', 'pause', 'reset']) expect(await page.locator(`#${button}`).isDisabled()).toBe(true);
  expect(await page.locator('#keys').isVisible()).toBe(false);
  expect(await page.locator('#options').isVisible()).toBe(false);
  await page.locator('#screen').click();
  await page.keyboard.type('x');
  // What the page does not do, somebody can who has its token.
  const refused = await page.evaluate(`new Promise((resolve) => {
    const token = btoa(${JSON.stringify(watcher)}).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    const socket = new WebSocket('ws://' + location.host + '/view', ['frontpanel', 'frontpanel.token.' + token]);
    socket.onopen = () => {
      socket.send(JSON.stringify({ type: 'watch', machine: 'c64-1' }));
      for (const command of [{ type: 'control', action: 'pause' }, { type: 'keys', keys: ['a'] }, { type: 'paste', text: 'x' }]) {
        socket.send(JSON.stringify(command));
      }
    };
    const troubles = [];
    socket.onmessage = ({ data }) => {
      if (typeof data !== 'string') return;
      const event = JSON.parse(data);
      if (event.type === 'trouble') troubles.push(event.text);
      if (troubles.length === 3) resolve(troubles);
    };
  })`);
  expect(refused).toEqual(Array(3).fill('Using a machine needs the role "use"; watcher has the role "observe".'));
  expect(await state(page)).toMatch(/^c64-1 RUNNING/);
  await page.context().close();
});

test('no other page can put it into a frame, and its files say what they are', async () => {
  const other = createServer((_req, res) => {
    res.writeHead(200, { 'content-type': 'text/html' });
    res.end(`<iframe src="${new URL('/', program.url)}"></iframe>`);
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const page = await browser.newPage();
  const refusals: string[] = [];
  page.on('console', (message) => refusals.push(message.text()));
  await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
  await eventually(() => refusals.join('\n')).toMatch(/frame/i);
  expect(page.frames().some((frame) => frame.url().startsWith(new URL('/', program.url).href))).toBe(false);
  await page.close();
  await new Promise((resolve) => other.close(resolve));
  for (const path of ['/', '/page.js', '/style.css', '/icon.svg']) {
    const { headers } = await fetch(new URL(path, program.url));
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  }
});
