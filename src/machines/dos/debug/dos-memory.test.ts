import { expect, test } from 'vitest';
import { desk } from './desk-testing.ts';
import { DosFreeze } from './dos-freeze.ts';
import { DosMemory } from './dos-memory.ts';

test('frozen bytes stay, whoever writes them, until they are released', async () => {
  // mov byte [200],5; mov word [200],1234; inc byte [200]; hlt
  const { cpu, ram, watches, poke } = desk('c606000205 c70600023412 fe060002 f4');
  const freeze = new DosFreeze(cpu, watches, poke);
  const memory = new DosMemory({ cpu, freeze, poke, extra: () => [] });
  const { id } = await freeze.hold(0x10200n, Uint8Array.of(9));
  cpu.run(1);
  expect(ram[0x10200]).toBe(9);
  cpu.run(2);
  expect([ram[0x10200], ram[0x10201]]).toEqual([9, 0x12]);
  await memory.freeze.release(id);
  cpu.run(3);
  expect(ram[0x10200]).toBe(10);
  await expect(freeze.release(id)).rejects.toThrow('No freeze');
  await expect(freeze.hold(0xb8000n, Uint8Array.of(1))).rejects.toThrow('Video memory');
});

test('spaces of others are reached by name; a poke of code is noticed', async () => {
  const { cpu, watches, poke, run } = desk('40 f4');
  const expanded = new Uint8Array(64);
  const extra = {
    name: 'ems1',
    size: 64n,
    description: 'expanded memory',
    writable: true,
    peek: (address: number, length: number) => expanded.slice(address, address + length),
    poke: (address: number, bytes: Uint8Array) => expanded.set(bytes, address),
  };
  const memory = new DosMemory({ cpu, freeze: new DosFreeze(cpu, watches, poke), poke, extra: () => [extra] });
  await memory.poke('ems1', 3n, Uint8Array.of(7));
  expect(await memory.peek('ems1', 2n, 3)).toEqual(Uint8Array.of(0, 7, 0));
  run(1);
  await memory.poke('cpu', 0x10100n, Uint8Array.of(0x48));
  cpu.set('ip', 0x100);
  cpu.step();
  expect(cpu.get('ax')).toBe(0);
  expect(memory.spaces.map(({ name }) => name)).toEqual(['cpu', 'ems1']);
});
