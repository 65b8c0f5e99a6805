import { expect, test } from 'vitest';
import { at, image as calls } from './guests/x86-calls.ts';
import { Lab } from './vm.ts';

const options = { arch: 'x86_64', memory: 16, gpu: 'none', paused: true } as const;

test('what a kernel names is known from the start, and stays so when the power was off', async () => {
  await using lab = new Lab();
  const kernel = lab.file('calls.elf', calls);
  const { handle: machine, machine: vm } = await lab.start({ ...options, kernel });
  expect(vm.introduction?.().join('\n')).toMatch(/^Names of calls\.elf: \d+ symbols/m);
  await lab.call('run', { machine, until: 'inside_third' });
  expect(vm.cpu.pc).toBe(at.inside_third);
  await vm.control.reset?.('hard');
  expect(vm.addresses.symbols.address('inside_third')).toBe(at.inside_third);

  const listed = await lab.call('symbols_load', { machine });
  expect(listed).toMatch(new RegExp(`^${kernel}: \\d+ symbols$`, 'm'));
  expect(await lab.call('symbols_load', { machine, path: 'calls.elf', unload: true })).toContain(kernel);
  expect(await lab.call('symbols_load', { machine, path: kernel, unload: true })).toMatch(/\d+ symbols .* forgotten/);
  expect(vm.addresses.symbols.address('inside_third')).toBeUndefined();
  expect(await lab.call('symbols_load', { machine })).toContain('Nothing has been loaded.');
});

test('a kernel whose names cannot be read boots all the same, and one without is told', async () => {
  await using lab = new Lab();
  const namesOf = async (name: string, bytes: Uint8Array) => {
    const { machine } = await lab.start({ ...options, kernel: lab.file(name, bytes) });
    return machine.introduction?.().find((line) => line.startsWith('Names of'));
  };
  // The table of sections comes last in the file, what is loaded before it.
  const broken = Buffer.from(calls);
  broken.writeUInt32LE(calls.length - 8, 0x20);
  expect(await namesOf('broken.elf', broken)).toMatch(/^Names of broken\.elf: none\. .* broken ELF file/);
  expect(await namesOf('cut.elf', calls.subarray(0, -64))).toMatch(/^Names of cut\.elf: 0 symbols; .* stripped$/);
});

test('other kernels are left alone', async () => {
  await using lab = new Lab();
  const kernel = lab.file('flat.bin', Buffer.alloc(4096));
  const { machine } = await lab.start({ arch: 'aarch64', machine: 'virt', memory: 64, paused: true, kernel });
  expect(machine.introduction?.().join('\n')).not.toContain('Names of');
});
