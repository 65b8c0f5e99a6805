import { expect, test, vi } from 'vitest';
import { GdbClient } from '../../src/links/gdb/gdb-client.ts';
import { at, image as calls } from './guests/x86-calls.ts';
import { Lab } from './vm.ts';

test('without frame pointers and tables the stack is scanned, and that is called a guess', {
  timeout: 180_000,
}, async () => {
  await using lab = new Lab();
  const kernel = lab.file('calls.elf', calls);
  const vm = await lab.start({ arch: 'i386', memory: 16, gpu: 'none', kernel, paused: true });
  const { handle: machine } = vm;
  await lab.call('run', { machine, until: `0x${at.inside_third.toString(16)}` });
  const reads = vi.spyOn(GdbClient.prototype, 'readMemory');
  expect((await vm.machine.cpu.callStack())[0]).toMatchObject({ returnsTo: at.after_third, guess: true });
  expect(reads.mock.calls.length, 'questions, with each of which QEMU is waited for').toBeLessThan(200);
  expect(await lab.call('state_read', { machine })).toMatch(
    /\n {2}perhaps called from [\s\S]*a guess: found by scanning/,
  );
  // The file says how its frames are undone.
  await lab.call('symbols_load', { machine, path: kernel });
  expect(await lab.call('state_read', { machine })).toMatch(/\n {2}called from (?![\s\S]*guess)/);
});
