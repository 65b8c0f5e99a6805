import { expect, test } from 'vitest';
import { readTargetDescription } from './target-description.ts';

function describeTarget(documents: Readonly<Record<string, string>>) {
  return readTargetDescription(async (name) => documents[name] ?? '');
}

test('registers are counted on across includes, and not inside comments', async () => {
  const { architecture, registers, flags } = await describeTarget({
    'target.xml': `<?xml version="1.0"?><!DOCTYPE target SYSTEM "gdb-target.dtd"><target>
      <architecture>i386:x86-64</architecture><xi:include href="core.xml"/><xi:include href="csr.xml"/></target>`,
    'core.xml': `<feature name="core"><flags id="flags_t" size="4"><field name="CF" start="0" end="0"/></flags>
      <reg name="rax" bitsize="64" type="int64"/>
      <!-- <reg name="ss_base" bitsize="64"/>
      <reg name="ds_base" bitsize="64"/> -->
      <reg name='eflags' bitsize='32' type='flags_t'/><reg name="st0" bitsize="80" group="float"/></feature>`,
    'csr.xml':
      '<feature name="csr"><reg name="mstatus" bitsize="64" regnum="834"/><reg name="misa" bitsize="64"/></feature>',
  });
  expect(architecture).toBe('i386:x86-64');
  expect(registers.map(({ name, number, feature }) => [name, number, feature])).toEqual([
    ['rax', 0, 'core'],
    ['eflags', 1, 'core'],
    ['st0', 2, 'core'],
    ['mstatus', 834, 'csr'],
    ['misa', 835, 'csr'],
  ]);
  expect(registers[2]).toMatchObject({ bits: 80, group: 'float' });
  expect(flags.get('flags_t')).toEqual([{ name: 'CF', start: 0, end: 0 }]);
});

test('includes in circles, nonsense and open comments end', async () => {
  const { registers } = await describeTarget({
    'target.xml':
      '<xi:include href="target.xml"/><xi:include href="a"/><reg name="x" bitsize="64"/><!-- <reg name="y" ',
    a: '<xi:include href="target.xml"/><reg/><reg name="z" bitsize="99999999"/><reg name="q" bitsize="-1" regnum="9999999"/>',
  });
  expect(registers.map(({ name, number }) => [name, number])).toEqual([['x', 3]]);
});

test('an attribute of a million letters without a value is passed over', async () => {
  const { registers } = await describeTarget({
    'target.xml': `<reg ${'a'.repeat(1_000_000)}/><reg name="x" bitsize="64"/>`,
  });
  expect(registers.map(({ name }) => name)).toEqual(['x']);
});
