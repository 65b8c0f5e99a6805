import { expect, test, vi } from 'vitest';
import type { Actor } from '../api/roles.ts';
import type { ToolHost } from '../api/tool-host.ts';
import type { PageEvent } from './channel.ts';
import { Outlet } from './outlet.ts';
import { PersonRequests } from './person-requests.ts';

test('a file in parts without contents, or in too many, is refused, and the next one is taken', async () => {
  const drop = vi.fn(() => 'taken');
  const told: PageEvent[] = [];
  const requests = new PersonRequests({ drop } as unknown as ToolHost, {} as Actor, (event) => told.push(event));
  const part = (id: number, text: string, isLast: boolean) =>
    requests.answer({ type: 'upload', id, name: 'a.prg', part: text, isLast });
  for (let n = 0; n < 20_000; n++) await part(1, '', false);
  await part(1, 'AAAA', true);
  expect(told).toMatchObject([{ id: 1, outcome: { type: 'error', message: 'The file is too large.' } }]);
  expect(drop).not.toHaveBeenCalled();
  await part(2, 'AAAA', true);
  expect(told[1]).toMatchObject({ id: 2, outcome: { type: 'answer', text: 'taken' } });
});

test('who leaves while a machine is being taken for them does not hold it', async () => {
  let taken = () => {};
  const take = () => new Promise<void>((resolve) => (taken = resolve));
  const handBack = vi.fn(async () => {});
  const requests = new PersonRequests({ take, handBack } as unknown as ToolHost, {} as Actor, () => {});
  const taking = requests.answer({ type: 'take', machine: 'c64-1' });
  requests.close();
  expect(handBack).not.toHaveBeenCalled();
  taken();
  await taking;
  expect(handBack).toHaveBeenCalledExactlyOnceWith('c64-1', {}, '');
});

test('who looks at a machine whose computer is away gets an answer, and hears why', async () => {
  const away = async () => Promise.reject(new Error('It does not answer.'));
  const told: PageEvent[] = [];
  const host = { inspect: away, recorded: away } as unknown as ToolHost;
  const requests = new PersonRequests(host, {} as Actor, (event) => told.push(event));
  const looked = requests.answer({ type: 'inspect', id: 1, machine: 'c64-1', reads: [] });
  await expect(looked).rejects.toThrow('It does not answer.');
  await expect(requests.answer({ type: 'entry', id: 2, seq: 5 })).rejects.toThrow('It does not answer.');
  expect(told).toEqual([
    { type: 'seen', id: 1 },
    { type: 'entry', id: 2 },
  ]);
});

test('a viewer that takes and never acknowledges is not kept for ever', () => {
  const socket = { bufferedAmount: 0, send: vi.fn(), terminate: vi.fn() };
  const outlet = new Outlet(socket);
  for (let n = 0; n < 10_000; n++) outlet.sound({ rate: 8000, samples: new Int16Array(1) } as never);
  expect(socket.terminate).not.toHaveBeenCalled();
  outlet.sound({ rate: 8000, samples: new Int16Array(1) } as never);
  expect(socket.terminate).toHaveBeenCalled();
});
