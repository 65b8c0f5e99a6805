import type { Browser, Frame } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Era, eras, type McpClient, stdioClient } from '../support/mcp-client.ts';
import { Sandbox } from '../support/sandbox.ts';
import { ChatHost } from './chat-host.ts';
import { eventually, launchBrowser, patient } from './desk.ts';

const views = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };
const c64 = { machine: 'c64-1' };
let sandbox: Sandbox;
let browser: Browser;
let client: McpClient;

const open = (era: Era, extensions = {}) =>
  stdioClient(sandbox, era, ['--page', 'off'], { capabilities: { extensions } });

beforeAll(async () => {
  sandbox = await Sandbox.open();
  browser = await launchBrowser();
  client = await open('modern', views);
  await client.call('machine_start', { kind: 'c64' });
  await client.call('run', { ...c64, screen_text: 'READY.' });
}, 180_000);

afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await browser.close();
  await sandbox[Symbol.asyncDispose]();
});

test.each(eras)('%s clients that show views are told of one, others nothing', async (era) => {
  await using shows = await open(era, views);
  await using plain = await open(era);
  const metaOf = async (from: McpClient) =>
    (await from.listTools()).tools.flatMap(({ name, _meta }) => (_meta === undefined ? [] : [{ name, _meta }]));
  const ui = { resourceUri: 'ui://frontpanel/screen' };
  expect(await metaOf(shows)).toEqual([
    { name: 'machine_start', _meta: { ui } },
    { name: 'screen_read', _meta: { ui } },
  ]);
  expect(await metaOf(plain)).toEqual([]);
  const { contents } = await shows.readResource({ uri: ui.resourceUri });
  expect(contents).toMatchObject([{ ...{ uri: ui.resourceUri }, mimeType: 'text/html;profile=mcp-app' }]);
});

async function shown(
  capabilities: Record<string, unknown>,
): Promise<{ host: ChatHost; view: Frame; problems: string[] }> {
  const page = await patient(await browser.newPage({ viewport: { width: 720, height: 860 } }));
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  const host = new ChatHost(page, client, capabilities);
  await host.show('ui://frontpanel/screen');
  const view = page.frames().find((frame) => frame.url() === 'about:srcdoc');
  if (!view) throw new Error('there is no view');
  return { host, view, problems };
}

test('a view shows the screen, takes keys and buttons, and leaves when it is asked to', async () => {
  const { host, view, problems } = await shown({ serverTools: {}, serverResources: {} });
  await using _ = host;
  expect(host.heard.slice(1, 3).map(({ method }) => method)).toEqual(['ui/initialize', 'ui/notifications/initialized']);
  await host.notify('ui/notifications/tool-input', { arguments: { mode: 'image', ...c64 } });
  const result = await client.callTool({ name: 'screen_read', arguments: { mode: 'image', ...c64 } });
  await host.notify('ui/notifications/tool-result', { ...result });
  const width = () => view.locator('#screen').evaluate((image) => Reflect.get(Object(image), 'naturalWidth'));
  await eventually(width).toBeGreaterThan(0);
  await eventually(() => view.locator('#state').textContent()).toMatch(/^c64-1 /);
  await view.locator('#run').click();
  await eventually(() => view.locator('#state').textContent()).toMatch(/^c64-1 RUNNING/);
  await view.locator('#screen').click();
  await view.page().keyboard.type('print 6502*2\n');
  await eventually(async () => (await client.call('screen_read', { ...c64, mode: 'text' })).text).toMatch(/13004/);
  await view.locator('#pause').click();
  await eventually(() => view.locator('#state').textContent()).toMatch(/^c64-1 PAUSED/);
  await view.locator('#keyboard').click();
  await view.page().keyboard.insertText('list');
  await eventually(async () => (await client.call('screen_read', { ...c64, mode: 'text' })).text).toMatch(/LIST/);
  await eventually(() => host.heard.map(({ method }) => method)).toContain('ui/notifications/size-changed');
  await host.say({ id: 900, method: 'ui/resource-teardown', params: { reason: 'test' } });
  await eventually(() => host.heard.find(({ id }) => id === 900)).toMatchObject({ result: {} });
  expect(problems).toEqual([]);
});

test('pictures are no calls, unless the chat program gives no resources', async () => {
  const { host } = await shown({ serverTools: {} });
  await using _ = host;
  await host.notify('ui/notifications/tool-result', { content: [{ type: 'text', text: 'c64-1 PAUSED at $E5CD' }] });
  const asked = (method: string) => host.heard.filter((each) => each.method === method).length;
  await eventually(() => asked('tools/call')).toBeGreaterThan(0);
  expect(asked('resources/read')).toBe(0);
});

test('what fails is said in the view', async () => {
  const { host, view } = await shown({ serverTools: {}, serverResources: {} });
  await using _ = host;
  await host.notify('ui/notifications/tool-result', {
    isError: true,
    content: [{ type: 'text', text: 'No machine <b>c64-7</b>.' }],
  });
  await eventually(() => view.locator('#said').textContent()).toBe('No machine <b>c64-7</b>.');
});
