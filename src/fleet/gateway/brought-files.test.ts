import { expect, test } from 'vitest';
import { BroughtFiles } from './brought-files.ts';

const actor = { client: 'Ann', role: 'use' as const };

test('a host gets a dropped file once, and again where it has it no more or it is another', async () => {
  const files = new Map([['dropped:a.prg', Uint8Array.of(1, 2)]]);
  const there = new Map<string, string>();
  const sent: string[] = [];
  const asked: string[] = [];
  const brought = new BroughtFiles({
    read: async (path) => files.get(path) ?? new Uint8Array(),
    has: async (host, path, sha256) => {
      asked.push(sha256);
      return there.get(`${host} ${path}`) === sha256;
    },
    send: async (host, name, bytes) => {
      sent.push(`${host} ${name} ${[...bytes].join()}`);
      there.set(`${host} dropped:${name}`, asked.at(-1) ?? '');
    },
  });
  const bring = (host: string) => brought.bring(host, { media: [{ path: 'dropped:a.prg' }] }, actor);
  await bring('lab1');
  expect(sent).toEqual([]);
  brought.add('dropped:a.prg', Uint8Array.of(1, 2));
  await bring('lab1');
  await bring('lab1');
  await bring('lab2');
  expect(sent).toEqual(['lab1 a.prg 1,2', 'lab2 a.prg 1,2']);
  there.delete('lab1 dropped:a.prg');
  await bring('lab1');
  files.set('dropped:a.prg', Uint8Array.of(3));
  brought.add('dropped:a.prg', Uint8Array.of(3));
  await bring('lab1');
  expect(sent.slice(2)).toEqual(['lab1 a.prg 1,2', 'lab1 a.prg 3']);
  await brought.bring('lab1', { path: 'dropped:other.prg' }, actor);
  expect(sent).toHaveLength(4);
});
