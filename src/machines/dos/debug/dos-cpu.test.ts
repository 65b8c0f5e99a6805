import { expect, test } from 'vitest';
import { parseAddress } from '../../../tools/debug/parse-address.ts';
import { desk } from './desk-testing.ts';
import { DosCpu } from './dos-cpu.ts';

test('registers by model, with flags by letter', async () => {
  const { cpu, addresses } = desk('f4');
  const wide = new DosCpu(cpu, addresses);
  cpu.set('eax', 0x12345678);
  cpu.set('flags', 0x0041);
  const registers = await wide.registers();
  expect(registers[0]).toEqual({ name: 'EAX', value: 0x12345678n, bits: 32 });
  expect(registers.at(-1)).toMatchObject({ name: 'EFLAGS', flags: 'oditsZapC' });
  const { cpu: old, addresses: oldAddresses } = desk('f4', { model: '8086' });
  expect((await new DosCpu(old, oldAddresses).registers()).map(({ name }) => name)).toContain('AX');
});

test('registers are set by every name, within their size', async () => {
  const { cpu, addresses } = desk('f4');
  const debugged = new DosCpu(cpu, addresses);
  await debugged.setRegister('AH', 0x12n);
  await debugged.setRegister('es', 0xb800n);
  expect([cpu.get('ax'), cpu.get('es')]).toEqual([0x1200, 0xb800]);
  await expect(debugged.setRegister('al', 256n)).rejects.toThrow('AL cannot be 256');
  await expect(debugged.setRegister('r8', 0n)).rejects.toThrow('No register r8');
});

test('disassembly has names, and data in front of code that ran', async () => {
  // jmp 105; db ea,12; (105) call 10a; hlt; nop; (10a) ret
  const { cpu, addresses, run } = desk('e90200 ea12 e80200 f4 90 c3');
  addresses.symbols.add([['worker', 0x1010an]]);
  run();
  const lines = await new DosCpu(cpu, addresses).disassemble(addresses.segmented(0x1000n, 0x100n), 5);
  expect(lines.map(({ text }) => text)).toEqual(['jmp 0x105', 'db 0xea,0x12', 'call worker', 'hlt', 'nop']);
  expect(lines.map(({ address }) => addresses.format(address))[1]).toBe('1000:0103');
});

test('the call stack follows calls and interrupts', async () => {
  // call 106; hlt; nop; nop; (106) call 10a; nop; (10a) nop; hlt
  const { cpu, addresses, run, set } = desk('e80300 f4 9090 e80100 90 90 f4');
  await set('exec', 0x1010a);
  run();
  const frames = await new DosCpu(cpu, addresses).callStack();
  expect(frames).toEqual([
    { from: 0x10106n, returnsTo: 0x10109n },
    { from: 0x10100n, returnsTo: 0x10103n },
  ]);
});

test('addresses are written with the segment that is meant', () => {
  const { addresses, cpu } = desk('f4');
  expect(addresses.format(0x10100n)).toBe('1000:0100');
  expect(addresses.format(0xb8000n)).toBe('B000:8000');
  expect(addresses.format(addresses.segmented(0xb800n, 0x10n))).toBe('B800:0010');
  expect(addresses.format(0x100010n)).toBe('FFFF:0020');
  expect(addresses.format(0x200000n)).toBe('0x00200000');
  cpu.set('ds', 0x0040);
  expect(addresses.format(0x417n)).toBe('0040:0017');
  cpu.set('si', 0x20);
  expect(parseAddress('ds:si', addresses)).toBe(0x420n);
  expect(parseAddress('ES:200', addresses)).toBe(0x10200n);
  cpu.set('bx', 0x100);
  cpu.set('bp', 2);
  const written = {
    ...{ 'es:0x200': 0x10200, 'ES:200h': 0x10200, 'ds:si+8': 0x428, 'ds:bx+si-0x10': 0x510, 'ds:bx + si + 10h': 0x530 },
    ...{ '0x40:0x17': 0x417, '0040:si': 0x420, '40:bx+10': 0x50a, 'ss:bp-6': 0x1fffc, 'cs:100+1': 0x10101 },
  };
  for (const [text, linear] of Object.entries(written)) {
    expect([text, parseAddress(text, addresses)]).toEqual([text, BigInt(linear)]);
  }
  for (const text of ['xs:0', 'ds:', 'ds:zz', 'ds:si+zz', 'ds:si+ff', '12345:0', 'ds:si+']) {
    expect(() => parseAddress(text, addresses)).toThrow('neither');
  }
  addresses.know(0x0080, 0x122);
  expect(addresses.format(0x922n)).toBe('0080:0122');
});
