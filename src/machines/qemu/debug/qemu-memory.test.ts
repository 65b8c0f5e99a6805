import { afterEach, expect, test } from 'vitest';
import { GdbClient } from '../../../links/gdb/gdb-client.ts';
import { TestStub } from '../../../links/gdb/stub-testing.ts';
import type { QmpClient } from '../../../links/qmp/qmp-client.ts';
import { LiveTarget } from './live-target.ts';
import { QemuMemory } from './qemu-memory.ts';
import type { Rest } from './rest.ts';

const tree = `FlatView #0
 AS "memory", root: system
 AS "cpu-memory-0", root: system
 Root memory region: system
  0000000000000000-0000000000001fff (prio 0, ram): ram
  0000000000002000-0000000000002fff (prio 0, i/o): uart
  0000000000004000-0000000000004fff (prio 0, rom): bios
`;
const rom = 0x4000n;
/** Virtual addresses from 8000h on are the physical ones from 0 on. */
const shift = 0x8000;

let stub: TestStub;
let gdb: GdbClient;
afterEach(async () => {
  gdb.close();
  await stub[Symbol.asyncDispose]();
});

/** Confirms whatever is written, reads what was written last, and refuses to read a page that is not mapped. */
async function memoryWith(told = tree) {
  const bytes = new Map<number, string>();
  const place = (request: string) =>
    request
      .slice(1)
      .split(/[,:]/)
      .map((text) => Number.parseInt(text, 16));
  stub = await TestStub.listen({
    'Hg*': 'OK',
    'Qqemu.PhyMemMode*': 'OK',
    'M*': (request) => {
      const [at = 0] = place(request);
      const data = request.split(':')[1] ?? '';
      for (const [n, pair] of (data.match(/../g) ?? []).entries()) {
        if ((at + n) % shift < rom) bytes.set((at + n) % shift, pair);
      }
      return 'OK';
    },
    'm*': (request) => {
      const [at = 0, length = 0] = place(request);
      if (at >= shift + 0x3000) return 'E14';
      return Array.from({ length }, (_, n) => bytes.get((at + n) % shift) ?? '00').join('');
    },
  });
  gdb = await GdbClient.connect(stub.path, { timeoutMs: 2000 });
  const hmp = async (command: string) => {
    const at = Number(/^gva2gpa (.*)/.exec(command)?.[1]);
    if (Number.isNaN(at)) return told;
    return at >= shift && at < shift + 0x3000 ? `gpa: 0x${(at - shift).toString(16)}\n` : 'Unmapped\n';
  };
  const target = new LiveTarget(gdb, { hmp } as unknown as QmpClient, 'x86_64', 'p01.01');
  const rest: Partial<Rest> = { atRest: (action) => action() };
  return new QemuMemory(rest as Rest, target, { read: async () => undefined });
}

const readings = () => stub.requests.filter((request) => /^m[0-9a-f]/.test(request));
const writings = () => stub.requests.filter((request) => /^M[0-9a-f]/i.test(request));

test('a device that is written at its physical address is not read to see whether it took that', async () => {
  const memory = await memoryWith();
  await memory.poke('physical', 0x2000n, Uint8Array.of(0x41));
  expect(writings()).toEqual(['M2000,1:41']);
  expect(readings()).toEqual([]);
});

test('of a write over the end of memory only the memory is read again', async () => {
  const memory = await memoryWith();
  await memory.poke('physical', 0x1ffen, Uint8Array.of(1, 2, 3, 4));
  expect(readings()).toEqual(['m1ffe,2']);
});

test('a device that does not get what is written to a virtual address is not read either', async () => {
  const memory = await memoryWith();
  await expect(memory.poke('virtual', 0xa000n, Uint8Array.of(0x41))).rejects.toMatchObject({
    message: expect.stringContaining('What was written to 0xa000 (virtual) is not there'),
  });
  expect(readings()).toEqual([]);
});

test('where nothing is, nobody took it', async () => {
  const memory = await memoryWith();
  await expect(memory.poke('physical', 0x3000n, Uint8Array.of(1))).rejects.toMatchObject({
    type: 'ADDRESS_OUT_OF_BOUNDS',
  });
  expect(readings()).toEqual([]);
});

test('memory is read again, and what it did not take is told', async () => {
  const memory = await memoryWith();
  await memory.poke('virtual', 0x8100n, Uint8Array.of(1, 2));
  expect(readings()).toEqual(['m8100,2']);
  await expect(memory.poke('physical', rom, Uint8Array.of(1, 2))).rejects.toMatchObject({
    message: expect.stringContaining('What was written to 0x4000 (physical) is not there'),
  });
});

test('where QEMU does not tell what is there, nothing is read again', async () => {
  const memory = await memoryWith('unknown command: info mtree');
  await memory.poke('physical', 0x2000n, Uint8Array.of(0x41));
  expect(readings()).toEqual([]);
});
