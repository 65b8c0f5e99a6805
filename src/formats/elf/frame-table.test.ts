import { describe, expect, test } from 'vitest';
import { ByteView } from './byte-view.ts';
import { FrameTable } from './frame-table.ts';
import { pauses } from './pause.ts';

/**
 * What gcc says of `int f(int a, int b) { int c = g(a); return c * b + g(c); }` at 0x100000, 22 bytes: a push of rbx
 * (register 3) first, a pop before the return. The stack pointer is register 7, the return address 16.
 */
const sections = {
  '.debug_frame':
    '14000000ffffffff01000178100c070890010000000000001c0000000000000000001000000000001600000000000000410e108302540e08',
  '.eh_frame':
    '1400000000000000017a5200017810011b0c070890010000180000001c000000e0efffff1600000000410e108302540e08000000',
};

async function tableOf(name: keyof typeof sections, bytes = Buffer.from(sections[name], 'hex'), offset = 0n) {
  const view = new ByteView(new Uint8Array(bytes), true);
  const table = new FrameTable({ view, isEh: name === '.eh_frame', address: 0x101000n, addressBytes: 8 }, offset);
  await table.read(pauses());
  return table;
}

const saved = (offset: number) => ({ type: 'saved', offset });

describe.for(['.debug_frame', '.eh_frame'] as const)('%s', (name) => {
  test('says how the frame is undone at each place', async () => {
    const table = await tableOf(name);
    expect(table.size).toBe(1);
    const at = (address: bigint) => {
      const rules = table.at(address);
      return rules && [rules.cfa, rules.returnRegister, Object.fromEntries(rules.registers)];
    };
    expect(at(0x100000n)).toEqual([{ register: 7, offset: 8 }, 16, { 16: saved(-8) }]);
    expect(at(0x100001n)).toEqual([{ register: 7, offset: 16 }, 16, { 3: saved(-16), 16: saved(-8) }]);
    expect(at(0x100014n)).toEqual(at(0x100001n));
    expect(at(0x100015n)?.[0]).toEqual({ register: 7, offset: 8 });
    expect([at(0xfffffn), at(0x100016n)]).toEqual([undefined, undefined]);
  });

  test('moves with its program', async () => {
    const table = await tableOf(name, undefined, 0xffffffff80000000n);
    expect(table.at(0xffffffff80100001n)?.cfa.offset).toBe(16);
    expect(table.at(0x100001n)).toBeUndefined();
  });

  test('cut off anywhere or damaged anyhow, is read without a fault', async () => {
    const whole = Buffer.from(sections[name], 'hex');
    for (let length = 0; length < whole.length; length++)
      (await tableOf(name, whole.subarray(0, length))).at(0x100001n);
    for (let n = 0; n < whole.length; n++) {
      for (const value of [0, 0x7f, 0xff]) {
        const damaged = Buffer.from(whole);
        damaged[n] = value;
        const table = await tableOf(name, damaged);
        for (const address of [0n, 0x100000n, 0x100015n]) table.at(address);
      }
    }
  });
});
