import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { RawStdio } from '../support/raw-stdio.ts';
import { Sandbox } from '../support/sandbox.ts';
import { SerencpVm } from '../support/serencp-vm.ts';

const patience = { timeout: 60_000, interval: 20 };
/** Longer than output is gathered before it is announced. */
const settleMs = 200;

let sandbox: Sandbox;
let raw: RawStdio;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  raw = new RawStdio(sandbox, ['--dialect', 'serencp', '--log-level', 'debug']);
  await raw.initialize();
});
afterAll(() => sandbox[Symbol.asyncDispose]());

test('vm://NAME/output is listed and read whole', async () => {
  await using vm = await SerencpVm.boot(raw);
  await vm.start();
  await vm.guest.print('kept\r\n');
  await vm.buffered(6);
  for (let again = 0; again < 2; again++) {
    const { result } = await raw.request('resources/read', { uri: vm.uri });
    expect(result).toMatchObject({ contents: [{ uri: vm.uri, text: 'kept\r\n' }] });
  }
  const { result = {} } = await raw.request('resources/list');
  expect(result.resources).toMatchObject([{ uri: vm.uri, mimeType: 'text/plain' }]);
  expect((await raw.request('resources/read', { uri: 'vm://nobody/output' })).error).toMatchObject({ code: -32602 });
});

test('output is announced with uri, content and stream while it is subscribed', async () => {
  await using vm = await SerencpVm.boot(raw);
  const { uri } = vm;
  await vm.start();
  await vm.guest.print('before');
  await vm.buffered(6);
  await delay(settleMs);
  await raw.request('resources/subscribe', { uri });
  await vm.guest.print('after\n');
  await vi.waitFor(() => expect(vm.updates).toEqual([{ uri, content: 'after\n', stream: 'stdout' }]), patience);
  await raw.request('resources/unsubscribe', { uri });
  await vm.guest.print('silent');
  await vm.buffered(18);
  await delay(settleMs);
  expect(vm.updates).toHaveLength(1);
  // Notifications take nothing from the tool.
  expect(await vm.call('read')).toMatchObject({ output: 'beforeafter\nsilent' });
});

test('a flood is announced in large pieces, complete and in order', async () => {
  await using vm = await SerencpVm.boot(raw);
  await vm.start();
  await raw.request('resources/subscribe', { uri: vm.uri });
  let whole = '';
  for (let i = 0; i < 5000; i++) {
    whole += `line ${i}\n`;
    void vm.guest.print(`line ${i}\n`);
  }
  await vi.waitFor(() => expect(contentOf(vm)).toHaveLength(whole.length), patience);
  expect(contentOf(vm)).toBe(whole);
  expect(vm.updates.length).toBeLessThan(2500);
});

test('UTF-8 stays whole wherever it is cut, and what is none is escaped', async () => {
  await using vm = await SerencpVm.boot(raw);
  await vm.start();
  await raw.request('resources/subscribe', { uri: vm.uri });
  const bytes = Buffer.concat([Buffer.from('grüße 漢字 😀'), Buffer.from([0, 0x1b, 0xff, 0xc3, 0x28, 0x07])]);
  for (const [index, byte] of bytes.entries()) {
    await vm.guest.print(Uint8Array.of(byte));
    await vm.buffered(index + 1);
  }
  const text = 'grüße 漢字 😀\\x00\\x1b\\xff\\xc3(\\x07';
  await vi.waitFor(() => expect(contentOf(vm)).toBe(text), patience);
  expect(vm.updates.length).toBeGreaterThan(1);
  expect(await vm.call('read')).toEqual({ success: true, output: text });
});

test('log levels are taken, and the log tells of the bridge', async () => {
  for (const level of ['error', 'info', 'debug']) {
    expect((await raw.request('logging/setLevel', { level })).result).toEqual({});
  }
  await using vm = await SerencpVm.boot(raw);
  await vm.start();
  await raw.message(({ method, params }) => method === 'notifications/message' && params?.logger === vm.name);
});

test('start reports progress while it connects', async () => {
  await using vm = await SerencpVm.boot(raw);
  const { port } = vm.guest;
  await vm.guest[Symbol.asyncDispose]();
  const started = await raw.request('tools/call', {
    name: 'start',
    arguments: { vm_name: vm.name, port },
    _meta: { progressToken: vm.name },
  });
  expect(started.error).toBeUndefined();
  const progress = await raw.message(
    ({ method, params }) => method === 'notifications/progress' && params?.progressToken === vm.name,
  );
  expect(progress.params).toMatchObject({ progress: 1, message: `connecting to tcp 127.0.0.1:${port}` });
});

function contentOf(vm: SerencpVm): string {
  return vm.updates.map(({ content }) => content).join('');
}
