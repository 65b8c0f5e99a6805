import { expect, test } from 'vitest';
import type { ToolHost } from '../api/tool-host.ts';
import { MachineError } from '../machine/errors.ts';
import { DebuggedMachine, leased } from './debugged-machine.ts';

const lost = new MachineError('UNAVAILABLE', 'The host of mine does not answer.', 'Try again.');

/** Machines of another host, which is gone by now. */
const host = {
  visit: () => () => {},
  machines: () => [{ handle: 'mine', holder: { name: 'gdb', person: 'gdb (127.0.0.1:4)' } }],
  take: async () => Promise.reject(lost),
  handBack: async () => Promise.reject(lost),
} as unknown as ToolHost;

test('a person who cannot take a machine is told so, and does not have it', async () => {
  const machine = DebuggedMachine.attach(host, 'mine', { protocol: 'gdb', address: '127.0.0.1:4', role: 'use' });
  if (!machine) throw new Error('not attached');
  await expect(leased(machine, 'take')).rejects.toThrow(lost);
  expect(await leased(machine, 'hand_back')).toBe('you did not have mine');
});

test('who has a machine is not taken for somebody with the same address at another gateway', async () => {
  const held: { handle: string; holder?: { name: string; person: string } } = { handle: 'mine' };
  const shared = {
    ...host,
    machines: () => [held],
    take: async (_: string, { client: name, person = '' }: { client: string; person?: string }) => {
      held.holder = { name, person };
    },
    handBack: async () => {
      delete held.holder;
    },
  } as unknown as ToolHost;
  const attach = () => DebuggedMachine.attach(shared, 'mine', { protocol: 'dap', address: 'stdio', role: 'use' });
  const [ann, bob] = [attach(), attach()];
  if (!ann || !bob) throw new Error('not attached');
  await leased(ann, 'take');
  const first = held.holder?.person;
  await leased(bob, 'take');
  expect(held.holder?.person).not.toBe(first);
  expect(await leased(ann, 'hand_back')).toBe('you did not have mine');
  expect(await leased(bob, 'hand_back')).toBe('mine is given back');
});

test('a debugger may leave a machine that nobody can be told of any more', async () => {
  let refuses = false;
  const before = { ...host, take: async () => {}, handBack: async () => (refuses ? Promise.reject(lost) : undefined) };
  const machine = DebuggedMachine.attach(before, 'mine', { protocol: 'gdb', address: '127.0.0.1:4', role: 'use' });
  await machine?.take();
  refuses = true;
  machine?.leave();
});
