import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { HttpProgram } from '../support/http-program.ts';
import { Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
let program: HttpProgram;
let browser: Browser;
let page: Page;
const problems: string[] = [];

beforeAll(async () => {
  sandbox = await Sandbox.open();
  program = await HttpProgram.start(sandbox, '--demo');
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'],
  });
  page = await browser.newPage({ viewport: { width: 1300, height: 800 } });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.goto(new URL(`/?token=${program.token}`, program.url).href);
}, 60_000);

afterAll(async () => {
  await browser?.close();
  await program?.[Symbol.asyncDispose]();
  await sandbox?.[Symbol.asyncDispose]();
});

async function call(name: string, args: Record<string, unknown>): Promise<string> {
  const response = await program.fetch({
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name,
        arguments: args,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'page test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  });
  const { result } = (await response.json()) as { result: { content: { text: string }[] } };
  return result.content[0]?.text ?? '';
}

const painted = async () => Number((await page.locator('#screen').getAttribute('data-painted')) ?? 0);

/** Runs in the browser, which has types of its own. */
const countColours = `(() => {
  const { data } = document.getElementById('screen').getContext('2d').getImageData(0, 0, 384, 272);
  return new Set(new Uint32Array(data.buffer)).size;
})()`;

test('shows the machine that runs, and its picture moves', async () => {
  await page.locator('#machines button', { hasText: 'c64-1' }).waitFor();
  await expect.poll(() => page.locator('#state').textContent()).toMatch(/^c64-1 RUNNING/);
  const before = await painted();
  await expect.poll(painted, { timeout: 20_000 }).toBeGreaterThan(before + 20);
  const colours = await page.evaluate(countColours);
  expect(colours).toBeGreaterThan(5);
});

test('shows the calls of an agent with their answers', async () => {
  await call('machine_list', {});
  const entry = page.locator('#calls li').first();
  await entry.waitFor();
  expect(await entry.textContent()).toMatch(/machine_list.*page test.*c64-1 RUNNING/s);
});

test('typing on the page reaches the machine', async () => {
  await call('machine_reset', { machine: 'c64-1' });
  await call('run', { machine: 'c64-1', screen_text: 'READY.' });
  await page.locator('#run').click();
  await expect.poll(() => page.locator('#state').textContent()).toMatch(/RUNNING/);
  await page.locator('#screen').click();
  await page.keyboard.type('hello', { delay: 120 });
  await expect.poll(() => call('screen_read', { machine: 'c64-1' }), { timeout: 20_000 }).toMatch(/HELLO/i);
});

test('the buttons pause and resume', async () => {
  await page.locator('#pause').click();
  await expect.poll(() => page.locator('#state').textContent()).toMatch(/PAUSED/);
  await page.locator('#run').click();
  await expect.poll(() => page.locator('#state').textContent()).toMatch(/RUNNING/);
});

test('nothing went wrong in the browser', () => {
  expect(problems).toEqual([]);
});

test('without the token there is no page and no socket', async () => {
  const address = new URL('/', program.url);
  expect((await fetch(address)).status).toBe(401);
  const socket = new WebSocket(new URL('/view?token=wrong', program.url).href.replace('http', 'ws'));
  await expect(
    new Promise((resolve) => {
      socket.on('error', () => resolve('refused'));
      socket.on('open', () => resolve('open'));
    }),
  ).resolves.toBe('refused');
});
