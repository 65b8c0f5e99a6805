import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Message, RawStdio } from '../support/raw-stdio.ts';
import { Sandbox } from '../support/sandbox.ts';
import { SerencpVm } from '../support/serencp-vm.ts';

vi.setConfig({ testTimeout: 180_000 });

const patience = { timeout: 60_000, interval: 50 };
const line = `${'all work and no play makes jack a dull boy '.repeat(3)}\r\n`;
const block = Buffer.from(line.repeat(Math.floor(1_000_000 / line.length)));

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox[Symbol.asyncDispose]());

async function flood(vm: SerencpVm, blocks: number): Promise<void> {
  for (let i = 0; i < blocks; i++) await vm.guest.print(block);
}

/** What was read, each line looked at once. */
class Heard {
  content = '';
  readonly answered = new Set<unknown>();
  readonly #raw: RawStdio;
  #seen = 0;

  constructor(raw: RawStdio) {
    this.#raw = raw;
  }

  listen(): this {
    const { lines } = this.#raw;
    for (; this.#seen < lines.length; this.#seen++) {
      const { id, params } = JSON.parse(lines[this.#seen] ?? '') as Message;
      if (id !== undefined) this.answered.add(id);
      if (typeof params?.content === 'string') this.content += params.content;
    }
    return this;
  }
}

test('a client that does not read costs no memory, gets its answers, and is told of the gap', async () => {
  const raw = new RawStdio(sandbox, ['--dialect', 'serencp']);
  const heard = new Heard(raw);
  await raw.initialize();
  await using vm = await SerencpVm.boot(raw);
  await vm.start();
  await raw.request('resources/subscribe', { uri: vm.uri });
  await flood(vm, 20);
  await vm.guest.print('warmed up');
  await vi.waitFor(() => expect(heard.listen().content.slice(-9)).toBe('warmed up'), patience);
  raw.child.stdout.pause();
  const before = residentPeak(raw.child.pid);
  await flood(vm, 200);
  await vm.guest.print('the last words');
  for (const id of ['a', 'b', 'c']) raw.sendLine(JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }));
  // All of the guest's bytes were taken, though nobody took the notifications.
  expect(residentPeak(raw.child.pid) - before).toBeLessThan(150);
  raw.child.stdout.resume();
  await vi.waitFor(() => expect(heard.listen().content.slice(-14)).toBe('the last words'), patience);
  await vi.waitFor(
    () => expect([...heard.listen().answered]).toEqual(expect.arrayContaining(['a', 'b', 'c'])),
    patience,
  );
  const gaps = [...heard.content.matchAll(/\n\[gap of (\d+) bytes\]\n/g)].map((gap) => Number(gap[1]));
  const shown = heard.content.replaceAll(/\n\[gap of \d+ bytes\]\n/g, '').length;
  expect(gaps.length).toBeGreaterThan(0);
  expect(shown + gaps.reduce((sum, bytes) => sum + bytes, 0)).toBe(220 * block.length + 9 + 14);
  raw.lines.length = 0;
});

test('without a subscriber nothing is decoded', async () => {
  const raw = new RawStdio(sandbox, ['--dialect', 'serencp']);
  const heard = new Heard(raw);
  await raw.initialize();
  await using vm = await SerencpVm.boot(raw);
  await vm.start();
  await flood(vm, 10);
  const began = cpuSeconds(raw.child.pid);
  await flood(vm, 100);
  const unsubscribed = cpuSeconds(raw.child.pid) - began;
  await raw.request('resources/subscribe', { uri: vm.uri });
  const subscribed = cpuSeconds(raw.child.pid);
  await flood(vm, 100);
  await vm.guest.print('the last words');
  await vi.waitFor(() => expect(heard.listen().content.slice(-14)).toBe('the last words'), patience);
  expect(unsubscribed).toBeLessThan((cpuSeconds(raw.child.pid) - subscribed) / 2);
  raw.lines.length = 0;
});

/** Megabytes. */
function residentPeak(pid: number | undefined): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

function cpuSeconds(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
