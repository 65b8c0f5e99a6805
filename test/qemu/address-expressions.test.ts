import { expect, test } from 'vitest';
import { at, image as calls } from './guests/x86-calls.ts';
import { Lab } from './vm.ts';

async function stopped(lab: Lab) {
  const kernel = lab.file('calls.elf', calls);
  const vm = await lab.start({ arch: 'x86_64', memory: 16, gpu: 'none', kernel, paused: true });
  const machine = vm.handle;
  await lab.call('symbols_load', { machine, path: kernel });
  await lab.call('run', { machine, until: 'inside_third' });
  const ask = (tool: string, args: Record<string, unknown>) => lab.call(tool, { machine, ...args });
  return { vm, ask };
}

test('addresses are written with registers, symbols and what lies in memory', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const { vm, ask } = await stopped(lab);
  const sp = await vm.machine.cpu.register('esp');
  const place = (address: bigint) => vm.machine.addresses.format(address);
  for (const [text, address] of [
    ['esp', sp],
    ['esp+4', sp + 4n],
    ['$esp + 4', sp + 4n],
    ['rsp', sp],
    ['dword[esp]', at.after_third],
    ['dword[table]', at.third],
    ['counter+2', at.counter + 2n],
    ['eip', at.inside_third],
  ] as const) {
    expect(await ask('memory_read', { address: text, length: 4 }), text).toContain(`\n${place(address)}  `);
  }
  expect(await ask('disassemble', { address: 'dword[esp] - 7', count: 1 })).toContain(place(at.bottom));
  expect(await ask('breakpoint_set', { address: 'dword[esp]' })).toContain(place(at.after_third));
  await ask('memory_write', { address: 'counter', bytes: 'ff ff 00 00' });
  expect(await ask('memory_write', { address: 'esp+64', bytes: '00' })).toContain('\n1 byte written to');
  const mapped = await ask('pages_read', { physical: '0x1000' });
  expect(await ask('pages_read', { physical: 'phys:0x1000' })).toBe(mapped);
  expect(await ask('memory_read', { address: 'counter', length: 4 })).toContain('FF FF 00 00');
  expect(await ask('run', { until: 'dword[esp]' })).toContain('after_third');
  await ask('registers_write', { values: { eax: 'esp+16' } });
  expect(await vm.machine.cpu.register('eax')).toBe((await vm.machine.cpu.register('esp')) + 16n);
  const unknown = await ask('memory_read', { address: 'nosuch+4' });
  expect(unknown).toMatch(
    /"nosuch\+4" is neither an address nor a known symbol[\s\S]*Registers may stand in it too: sp\+8/,
  );
});

test('memory as numbers with names, and as texts', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const { ask } = await stopped(lab);
  const stack = await ask('memory_read', { address: 'esp', length: 16, format: 'dwords' });
  expect(stack).toMatch(/0010004A [0-9A-F]{8} [0-9A-F]{8} [0-9A-F]{8} {2}after_third/);
  expect(await ask('memory_read', { address: 'table', length: 8, format: 'qwords' })).toMatch(/000000010010004F/);
  expect(await ask('memory_read', { address: 'table', length: 3, format: 'words' })).toMatch(/004F \(10\)$/);
  await ask('memory_write', {
    address: '0x200000',
    bytes: `00 ${Buffer.from('first text\0abc\0second').toString('hex')} 01`,
  });
  const texts = await ask('memory_read', { address: '0x200000', length: 64, format: 'strings' });
  expect(texts).toContain('0x00200001  "first text"');
  expect(texts).toContain('0x00200010  "second"');
  expect(texts).not.toContain('"abc"');
});
