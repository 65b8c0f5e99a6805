import type { Server } from '@modelcontextprotocol/server';
import { beforeEach, expect, test, vi } from 'vitest';
import { Notifications } from './notifications.ts';

/** A connection whose other side reads when it is told to. */
let unread: (() => void)[];
let sent: unknown[];
let notifications: Notifications;

beforeEach(() => {
  unread = [];
  sent = [];
  const send = (what: unknown) => {
    sent.push(what);
    return new Promise<void>((resolve) => unread.push(resolve));
  };
  const server: Partial<Server> = {
    notification: ({ params }: { params?: unknown }) => send(params),
    sendResourceListChanged: () => send('list'),
    sendLoggingMessage: ({ data }: { data?: unknown }) => send(data),
  };
  notifications = new Notifications(server as Server);
});

const readAll = async () => {
  for (const read of unread.splice(0)) read();
  await new Promise((resolve) => setImmediate(resolve));
};

test('what has changed is said once to a client that does not read, and once more when it does', async () => {
  for (let count = 0; count < 1000; count++) {
    notifications.update({ uri: 'a' });
    notifications.update({ uri: 'b' });
    notifications.listChanged();
  }
  expect(sent).toEqual([{ uri: 'a' }, { uri: 'b' }, 'list']);
  await readAll();
  expect(sent).toHaveLength(6);
  await readAll();
  expect(sent).toHaveLength(6);
  notifications.update({ uri: 'a' });
  expect(sent).toHaveLength(7);
});

test('what carries output is never left out', () => {
  for (let count = 0; count < 10; count++) notifications.update({ uri: 'a', content: String(count) });
  expect(sent).toHaveLength(10);
});

test('log messages that nobody reads are left out from a hundred on, and counted', async () => {
  const log = (data: string) => notifications.log({ level: 'info', logger: 'x', data });
  for (let count = 0; count < 150; count++) log(String(count));
  expect(sent).toHaveLength(100);
  await readAll();
  log('after');
  expect(sent.slice(100)).toEqual(['50 messages were left out; nobody read those before them.', 'after']);
});

test('a connection that is gone is no error', async () => {
  const gone = new Notifications({
    notification: () => Promise.reject(new Error('Not connected')),
  } as unknown as Server);
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  gone.update({ uri: 'a' });
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});
