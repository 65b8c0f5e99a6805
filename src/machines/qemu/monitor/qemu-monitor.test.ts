import { expect, test } from 'vitest';
import { MonitorCommands } from '../../shared/monitor-commands.ts';
import type { QemuSession } from '../qemu-session.ts';
import { QemuMonitor } from './qemu-monitor.ts';

/** A monitor whose QEMU only tells what reaches it. */
function monitor(allowed: readonly string[] | undefined, allowMonitor = false): QemuMonitor {
  const session = {
    execute: async (name: string) => name,
    hmp: async (line: string) => line,
    query: async () => ({ running: true }),
  } as unknown as QemuSession;
  return new QemuMonitor({
    ...{ session, allowMonitor, mode: 'all', allowed: new MonitorCommands(allowed) },
    control: { run: () => Promise.reject(new Error('no')), pause: () => Promise.reject(new Error('no')) },
    isRunning: () => true,
    readable: (text) => text,
    log: () => '',
  });
}

type Call = Parameters<QemuMonitor['execute']>;

const dump: Call = ['qmp', 'screendump', { filename: '/x' }];
const ask: Call = ['qmp', 'query-status', {}];
const info: Call = ['hmp', 'info  block', {}];
const hidden: Call = ['qmp', 'human-monitor-command', { 'command-line': 'screendump /x' }];
const socket: Call = ['hmp', 'chardev-add socket,id=f,path=/x', {}];

test.each<readonly [string, readonly string[] | undefined, readonly Call[], readonly Call[]]>([
  ['what is safe unless told', undefined, [ask, info], [dump, hidden, socket]],
  ['one command more', ['safe', 'screendump'], [ask, info, dump, hidden], [socket]],
  ['one command alone', ['query-status'], [ask], [info, dump, hidden, socket]],
  ['names by their beginning', ['query-*', 'info'], [ask, info], [dump, hidden, socket]],
  ['nothing', [], [], [ask, info, dump, hidden, socket]],
])('the operator allows %s', async (_, allowed, taken, refused) => {
  const subject = monitor(allowed);
  for (const call of taken) await expect(subject.execute(...call), call[1]).resolves.toBeTypeOf('string');
  for (const call of refused) await expect(subject.execute(...call), call[1]).rejects.toMatchObject({ type: 'DENIED' });
});

test('whatever is allowed, commands that the server lives on are its own', async () => {
  for (const subject of [monitor(['savevm', '*']), monitor(undefined, true)]) {
    await expect(subject.execute('hmp', 'savevm x', {})).rejects.toMatchObject({ type: 'DENIED' });
  }
});
