import { expect, test } from 'vitest';
import { makeBench } from '../../../chips/x86/x86-testing.ts';
import { stateWords } from '../../../chips/x87/fields.ts';
import { X87 } from '../../../chips/x87/x87.ts';
import { compileCondition } from '../../shared/condition/condition.ts';
import { DosAddresses } from './dos-addresses.ts';
import { DosCpu } from './dos-cpu.ts';
import { DosVocabulary } from './dos-vocabulary.ts';
import { memoryAccesses } from './memory-access.ts';
import { describeNumeric } from './numeric-registers.ts';

function desk(hex: string, withCoprocessor = true) {
  const fpu = new X87('80387', new Int32Array(stateWords), { error() {} });
  fpu.powerOn();
  const bench = makeBench(hex, withCoprocessor ? { coprocessor: fpu } : {});
  const addresses = new DosAddresses(bench.cpu);
  return { ...bench, fpu, addresses, debugger: new DosCpu(bench.cpu, addresses) };
}

test('registers are shown while there is something on the stack', async () => {
  const { cpu, debugger: shown } = desk('d9eb d9e0 ddd8 f4');
  const names = async () => (await shown.registers()).map(({ name }) => name);
  expect(await names()).not.toContain('ST0');
  cpu.step();
  expect((await shown.registers()).slice(-4)).toEqual([
    { name: 'ST0', value: 0x4000_c90f_daa2_2168_c235n, bits: 80 },
    { name: 'FCW', value: 0x37fn, bits: 16 },
    { name: 'FSW', value: 0x3800n, bits: 16 },
    { name: 'FTW', value: 0x3fffn, bits: 16 },
  ]);
  cpu.step();
  cpu.step();
  expect(await names()).not.toContain('FCW');
});

test('registers can be set, by bits', async () => {
  const { cpu, fpu, debugger: shown, ram } = desk('d8c0 dd1e0002 f4');
  await shown.setRegister('ST0', 0x4000_a000_0000_0000_0000n);
  await shown.setRegister('fcw', 0xf7fn);
  cpu.step();
  cpu.step();
  expect(new DataView(ram.buffer).getFloat64(0x10200, true)).toBe(5);
  expect(fpu.control).toBe(0xf7f);
  await expect(shown.setRegister('st0', 1n << 80n)).rejects.toThrow('ST0 cannot be');
  await expect(shown.setRegister('st8', 0n)).rejects.toThrow('No register st8');
});

test('without a coprocessor there are none', async () => {
  const { debugger: shown } = desk('f4', false);
  await expect(shown.setRegister('st0', 0n)).rejects.toThrow('No register st0');
});

test('conditions compare numbers', () => {
  const { cpu, addresses } = desk('d9eb d9e8 f4');
  const holds = compileCondition('st0 > 3 && st0 < 4 && fcw == 0x37f', new DosVocabulary(cpu, addresses.symbols));
  expect(holds()).toBe(0);
  cpu.step();
  expect(holds()).toBe(1);
  cpu.step();
  expect(holds()).toBe(0);
});

test('the chip in words', () => {
  const { cpu, fpu } = desk('d9eb d9e8 d9ee def9 f4');
  for (let n = 0; n < 4; n += 1) cpu.step();
  expect(describeNumeric(fpu)).toEqual([
    'Intel 80387',
    'st0 7FFF 8000000000000000 Infinity',
    'st1 4000 C90FDAA22168C235 3.141592653589793',
    ...[2, 3, 4, 5, 6, 7].map((index) => `st${index} empty`),
    'control 037F: rounds to nearest, 64 bits; masked: invalid, denormal, zero divide, overflow, underflow, precision',
    'status 3004: C3=0 C2=0 C1=0 C0=0; exceptions: zero divide',
  ]);
});

test('what an instruction does to memory is known by its size', () => {
  const { cpu, state } = desk('db3e0002 f4');
  const [access] = memoryAccesses(cpu.decode(0x1000, 0x100), state);
  expect(access).toEqual({ address: 0x10200, bytes: 10, access: 'write' });
});
