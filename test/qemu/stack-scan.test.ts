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
  await lab.call('symbols_load', { machine, path: kernel, unload: true });
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

test('what waits in a device is not taken by a look at calls, though its address is on the stack', {
  timeout: 180_000,
}, async () => {
  const [uart, received, ram] = [0x0900_0000n, 0x10, 0x4000_0000n];
  await using lab = new Lab();
  const vm = await lab.start({ arch: 'aarch64', memory: 16, gpu: 'none', paused: true });
  const { cpu, memory, console } = vm.machine;
  const hasByte = async () => (((await memory.peek('physical', uart + 0x18n, 4))[0] ?? 0) & received) === 0;
  const words = Buffer.alloc(256 * 8);
  words.writeBigUInt64LE(uart + 8n, 16);
  await memory.poke('physical', ram + 0x1000n, words);
  for (const [register, value] of Object.entries({ pc: ram, sp: ram + 0x1000n, x29: uart, x30: uart + 8n })) {
    await cpu.setRegister(register, value);
  }
  expect(await hasByte()).toBe(false);
  await console.ports[0]?.write(Buffer.from('k'), { mode: 'buffered' });
  await vm.until('the byte', hasByte);
  expect(await cpu.callStack()).toEqual([]);
  expect(await hasByte()).toBe(true);
  expect(Buffer.from(await memory.peek('physical', uart, 1)).toString(), 'asked for, it is read').toBe('k');
  expect(await hasByte()).toBe(false);
});
