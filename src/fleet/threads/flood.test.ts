import { expect, test, vi } from 'vitest';
import type { HostEvent } from '../../api/tool-host.ts';
import { encodeMessage, type Message } from '../wire/message.ts';
import { subjects } from '../wire/subjects.ts';
import type { Wire } from '../wire/wire.ts';
import { EventPost } from './event-post.ts';
import { PortWire } from './port-wire.ts';

function connected() {
  let arrive: (value: unknown) => void = () => {};
  const wire = new PortWire();
  const disconnect = wire.connect({
    postMessage() {},
    on(_, listener) {
      arrive = listener;
    },
  });
  const heard: unknown[] = [];
  wire.subscribe('fp.x', ({ head }) => {
    const end = performance.now() + 2;
    while (performance.now() < end);
    heard.push(head.n);
  });
  const flood = Array.from({ length: 60 }, (_, n) => n);
  for (const n of flood) arrive({ subject: 'fp.x', message: encodeMessage({ n }) });
  return { heard, flood, disconnect };
}

test('what arrives at once and takes long leaves the loop its turns, and keeps its order', async () => {
  const { heard, flood } = connected();
  expect(heard.length).toBeGreaterThan(0);
  expect(heard.length).toBeLessThan(flood.length);
  let turns = 0;
  const count = () => {
    turns++;
    if (heard.length < flood.length) setImmediate(count);
  };
  setImmediate(count);
  await vi.waitFor(() => expect(heard).toEqual(flood), { timeout: 20_000 });
  expect(turns).toBeGreaterThan(2);
});

test('what was said before the end is heard before it', () => {
  const { heard, flood, disconnect } = connected();
  disconnect();
  expect(heard).toEqual(flood);
});

test('events that nobody takes are bounded, and it is said how many are missing', () => {
  const sent: HostEvent[] = [];
  let acknowledge: (message: Message) => void = () => {};
  const wire: Pick<Wire, 'publish' | 'subscribe'> = {
    publish: (_, head) => void sent.push(head.event as HostEvent),
    subscribe(subject, handler) {
      expect(subject).toBe(subjects.eventsTaken('t'));
      acknowledge = (message) => handler(message, undefined, subject);
      return () => {};
    },
  };
  const post = new EventPost(wire as Wire, 't');
  for (let seq = 1; seq <= 40_000; seq++) post.add({ seq, at: 0, machine: 'm', type: 'hit', text: 'x' });
  expect(sent.map(({ seq }) => seq)).toEqual(Array.from({ length: 5_000 }, (_, index) => index + 1));
  acknowledge({ head: { taken: 256 }, body: new Uint8Array() });
  expect(sent).toHaveLength(5_256);
  const [next] = sent.slice(5_000);
  expect(next?.data).toEqual({ lost_before: (next?.seq ?? 0) - 5_001 });
  for (let taken = 0; taken < 40_000; taken += 256) acknowledge({ head: { taken: 256 }, body: new Uint8Array() });
  expect(sent.at(-1)?.seq).toBe(40_000);
  expect(sent.filter(({ data }) => data !== undefined)).toHaveLength(1);
});
