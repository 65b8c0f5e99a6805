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

test('a debugger may leave a machine that nobody can be told of any more', async () => {
  let refuses = false;
  const before = { ...host, take: async () => {}, handBack: async () => (refuses ? Promise.reject(lost) : undefined) };
  const machine = DebuggedMachine.attach(before, 'mine', { protocol: 'gdb', address: '127.0.0.1:4', role: 'use' });
  await machine?.take();
  refuses = true;
  machine?.leave();
});
