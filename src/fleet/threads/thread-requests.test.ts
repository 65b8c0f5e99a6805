import { expect, test, vi } from 'vitest';
import type { Rack } from '../../rack/rack.ts';
import type { Handler, Wire } from '../wire/wire.ts';
import { mainSubjects } from './main-thread.ts';
import { answerThreads } from './thread-requests.ts';

test('a name that a store gives to a thread that has ended meanwhile is let go', async () => {
  let give = (_name: string) => {};
  const given = new Promise<string>((resolve) => {
    give = resolve;
  });
  const unreserve = vi.fn(async () => {});
  const rack: Pick<Rack, 'reserve' | 'unreserve'> = { reserve: () => given, unreserve };
  const handlers = new Map<string, Handler>();
  const answered: unknown[] = [];
  const wire: Pick<Wire, 'publish' | 'subscribe'> = {
    publish: (_, head) => void answered.push(head),
    subscribe(subject, handler) {
      handlers.set(subject, handler);
      return () => {};
    },
  };
  const claims = new Map<string, string>();
  const there = new Set(['thread-1', 'thread-2']);
  answerThreads(wire as Wire, {
    ...{ rack: rack as Rack, claims, isThere: (thread) => there.has(thread) },
    debugPorts: () => {
      throw new Error('none');
    },
    dropped: async () => new Uint8Array(),
    log: () => {},
    writeAudit: () => {},
  });
  const machine = { kind: 'c64', memoryMib: 1, isKept: false };
  for (const host of there) {
    const head = { what: 'claim', of: { name: `of-${host}`, machine }, host };
    handlers.get(mainSubjects.ask)?.({ head, body: new Uint8Array() }, 'reply', mainSubjects.ask);
  }
  there.delete('thread-1');
  give('');
  await vi.waitFor(() => expect(answered).toHaveLength(2));
  expect(unreserve.mock.calls).toEqual([['of-thread-1']]);
  expect([...claims]).toEqual([['of-thread-2', 'thread-2']]);
});
