import { beforeEach, expect, test } from 'vitest';
import { type News, Outbox } from './outbox.ts';

/** A client that reads when it is told to. */
let free: (() => void) | undefined;
let isFull: boolean;
let sent: unknown[];
let news: (uri: string) => News | undefined;
let outbox: Outbox;

beforeEach(() => {
  free = undefined;
  isFull = true;
  sent = [];
  news = () => ({ params: {}, more: false });
  outbox = new Outbox(
    {
      news: (uri) => news(uri),
      sendUpdate: (update) => sent.push(update),
      sendLog: ({ data }) => sent.push(data),
      sendListChanged: (list) => sent.push(list),
    },
    {
      get isFull() {
        return isFull;
      },
      onceFree(listener) {
        if (free) throw new Error('waited for twice');
        free = listener;
      },
    },
  );
});

/** The client reads so much that there is room again. */
function reads(): void {
  isFull = false;
  const resume = free;
  free = undefined;
  resume?.();
}

test('what has changed is said once to a client that did not read, however often it changed', () => {
  for (let count = 0; count < 1000; count++) {
    outbox.update('a');
    outbox.update('b');
    outbox.listChanged('resources');
    outbox.listChanged('tools');
  }
  expect(sent).toEqual([]);
  reads();
  expect(sent).toEqual(['resources', 'tools', { uri: 'a' }, { uri: 'b' }]);
  outbox.update('a');
  expect(sent).toHaveLength(5);
});

test('what carries output is made when it can be sent, and nothing of it is left out', async () => {
  const output = ['one', 'two', 'three'];
  news = () => {
    const content = output.shift();
    return content === undefined ? undefined : { params: { content }, more: output.length > 0 };
  };
  for (let count = 0; count < 10; count++) outbox.update('a');
  expect(output).toHaveLength(3);
  reads();
  await expect.poll(() => sent).toEqual(['one', 'two', 'three'].map((content) => ({ uri: 'a', content })));
});

test('between pieces of a flood the program comes to other things', async () => {
  let left = 1000;
  news = () => ({ params: { left: --left }, more: left > 0 });
  isFull = false;
  outbox.update('a');
  expect(sent).toHaveLength(1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent.length).toBeLessThan(1000);
  await expect.poll(() => sent).toHaveLength(1000);
});

test('nothing is said of what was forgotten, nor after the end', () => {
  outbox.update('a');
  outbox.update('b');
  outbox.forget('a');
  reads();
  expect(sent).toEqual([{ uri: 'b' }]);
  isFull = true;
  outbox.update('b');
  outbox.close();
  reads();
  expect(sent).toHaveLength(1);
});

test('of log messages that nobody read the last hundred stay, and the others are counted', () => {
  for (let count = 0; count < 150; count++) outbox.log({ level: 'info', logger: 'x', data: count });
  reads();
  expect(sent).toHaveLength(101);
  expect(sent[0]).toMatchObject({ type: 'log_gap', text: expect.stringContaining('50 log messages were dropped') });
  expect(sent.slice(1)).toEqual(Array.from({ length: 100 }, (_, index) => 50 + index));
});
