import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DialectDesk } from '../support/dialect-desk.ts';
import { Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
let desk: DialectDesk;
beforeEach(async () => {
  sandbox = await Sandbox.open();
  desk = await DialectDesk.open(sandbox, 'qemu');
});
afterEach(() => sandbox[Symbol.asyncDispose]());

const slow = { timeout: 240_000 };
const tools = {
  ...{ qemu_send: { command: 'x', timeout: 0 }, qemu_read: { timeout: 0 }, qemu_screenshot: {} },
  ...{ qemu_send_key: { key: 'a' }, qemu_mouse: { x: 1, y: 1, button: 'left' }, qemu_status: {} },
  ...{ qemu_monitor: { command: 'query-status' }, qemu_pcap_start: {}, qemu_pcap_stop: {}, qemu_shutdown: {} },
  qemu_boot: { arch: 'x86_64', options: { nonsense: 1 } },
};
const { qemu_shutdown: _, ...whileItRuns } = tools;
const bare = { memory: 32, options: { powerdown_ms: 0 } };

test('qemu names its own tools only: without a machine, and where none starts', slow, async () => {
  await desk.callAll(tools);
  const wrong = [
    ...[{ machine: 'help' }, { machine: 'none-such' }, { cpu: 'z80' }, { bios: 'none.bin' }, { kernel: 'none' }],
    ...[{ from_snapshot: 'none' }, { network: 'tap' }, { vnc: true }, { nic: 'none-such', network: 'user' }],
    ...['monitor', 'D', 'help', 'pidfile', 'version', 'qmp', 'netdev', 'device'].map((flag) => ({
      extra: [`-${flag}`],
    })),
    ...[{ extra: ['-device', 'none-such'] }, { gpu: 'none-such' }],
  ];
  for (const options of wrong) await desk.call('qemu_boot', { options: { powerdown_ms: 0, ...options } });
  for (const more of [
    { arch: 'pdp11' },
    { drives: ['none.img'] },
    { drives: ['none.img,nonsense'] },
    { memory: 1e7 },
  ]) {
    await desk.call('qemu_boot', { ...bare, ...more });
  }
  expect(desk.counts.failed).toBeGreaterThan(30);
});

test('qemu names its own tools only: running, stopped and off', slow, async () => {
  const booted = await desk.call('qemu_boot', { ...bare, options: { ...bare.options, smp: 2 } });
  expect(booted).toContain('Processors: vcpu0 to vcpu1');
  expect(await desk.call('qemu_screenshot')).toContain('qemu_boot {"gpu":true}');
  for (const [tool, args] of Object.entries(whileItRuns)) await desk.call(tool, args);
  const refused = [
    ...[
      'savevm',
      'snapshot-save',
      'loadvm',
      'delvm',
      'replay-seek',
      'replay-break',
      'replay-delete-break',
      'gdbserver',
    ],
    ...['screendump', 'pmemsave', 'eject', 'blockdev-add', 'object-add', 'netdev_add', 'dumpdtb', 'none-such', '{'],
  ];
  for (const command of refused) {
    await desk.call('qemu_monitor', { command, arguments: { filename: 'x' } });
    const line = { 'command-line': `${command} x` };
    await desk.call('qemu_monitor', { command: 'human-monitor-command', arguments: line });
  }
  expect(await desk.call('qemu_monitor', { command: 'screendump' })).toContain('Use qemu_screenshot.');
  await desk.call('qemu_monitor', { command: 'stop' });
  for (const [tool, args] of Object.entries(whileItRuns)) await desk.call(tool, args);
  expect(await desk.call('qemu_send_key', { key: 'a' })).toContain('qemu_monitor {"command":"cont"}');
  await desk.call('qemu_monitor', { command: 'cont' });
  await desk.call('qemu_monitor', { command: 'quit' });
  await vi.waitFor(async () => expect(await desk.call('qemu_status')).toContain('OFF'), { timeout: 60_000 });
  for (const [tool, args] of Object.entries(tools)) await desk.call(tool, args);
});

test('qemu names its own tools only: with a display and a network', slow, async () => {
  await desk.call('qemu_boot', { ...bare, gpu: true, network: true });
  for (const [tool, args] of Object.entries(whileItRuns)) await desk.call(tool, args);
  for (const args of [{ key: 'none-such' }, { text: '\u{1F600}' }, { key: '-' }])
    await desk.call('qemu_send_key', args);
  for (const args of [{ x: -5, y: 1e6 }, { wheel: 3 }, { x: 1, y: 1, relative: true }])
    await desk.call('qemu_mouse', args);
  await desk.call('qemu_pcap_start', { path: '/etc/none.pcap' });
  await desk.call('qemu_shutdown');
  expect(desk.counts.done).toBeGreaterThan(8);
});
