import { expect, test } from 'vitest';
import { disassemble } from './disassemble.ts';
import { effectsOf } from './effects.ts';
import type { Model } from './models.ts';
import { type Bench, bytesOf, makeBench, setVector } from './x86-testing.ts';

/** Runs to HLT and gives registers by name. */
function result(hex: string, names: string, before: Record<string, number> = {}, model: Model = '80386'): number[] {
  const { cpu } = makeBench(`${hex} f4`, { model });
  for (const [name, value] of Object.entries(before)) cpu.set(name, value);
  expect(cpu.run(10_000).reason).toBe('halted');
  return names.split(' ').map((name) => cpu.get(name));
}

const [cf, pf, af, zf, sf, of] = [1, 4, 0x10, 0x40, 0x80, 0x800];

test.for([
  ['add al,1 wraps', '0401', { eax: 0xff }, 0x00, cf | pf | af | zf],
  ['add al,1 overflows', '0401', { eax: 0x7f }, 0x80, af | sf | of],
  ['sub ax,1 borrows', '2d0100', { eax: 0 }, 0xffff, cf | pf | af | sf],
  ['adc with carry', 'f9 1500ff', { eax: 0x00ff }, 0x0000, cf | pf | af | zf],
  ['sbb eax', 'f9 661d00000080', { eax: 0 }, 0x7fffffff, cf | pf | af],
  ['and clears carry', 'f9 250f00', { eax: 0xf0 }, 0, pf | zf],
  ['inc keeps carry', 'f9 40', { eax: 0x7fff }, 0x8000, cf | pf | af | sf | of],
  ['neg', 'f7d8', { eax: 0x8000 }, 0x8000, cf | pf | sf | of],
] as const)('flags: %s', ([, hex, before, value, flags]) => {
  const [eax, eflags] = result(hex, 'eax eflags', before);
  expect([eax, (eflags as number) & 0x8d5]).toEqual([value, flags]);
});

test('flags of no result survive POPF, PUSHF and SAHF', () => {
  // push bx; popf; lahf; pushf; pop cx
  for (const flags of [0xc0, 0x44, 0x40, 0x80, 0x84, 0xc4, 0x8d5, 0x11]) {
    const [ecx, ah] = result('53 9d 9f 9c 59', 'cx ah', { ebx: flags });
    expect([(ecx as number) & 0x8d5, (ah as number) & 0xd5]).toEqual([flags, flags & 0xd5]);
  }
});

test('32-bit forms', () => {
  expect(result('660fbec3 66c1e004 660fb7cb', 'eax ecx', { ebx: 0x1_ff80 })).toEqual([0xfffff800, 0xff80]);
  expect(result('66f7e3', 'eax edx', { eax: 0x89abcdef, ebx: 0x12345678 })).toEqual([0xe242d208, 0x9ca39e0]);
  expect(result('66f7fb', 'eax edx', { eax: 0xffffff9c, edx: 0xffffffff, ebx: 7 })).toEqual([0xfffffff2, 0xfffffffe]);
  expect(result('67668d048b', 'eax', { ebx: 0x10000, ecx: 3 })).toEqual([0x1000c]);
});

test('PUSH SP, shift counts and one-byte opcodes differ between models', () => {
  expect(result('54 58', 'ax', {}, '8086')).toEqual([0xfffc]);
  expect(result('54 58', 'ax', {}, '80286')).toEqual([0xfffe]);
  expect(result('d3e0', 'ax', { eax: 1, ecx: 33 }, '8086')).toEqual([0]);
  expect(result('d3e0', 'ax', { eax: 1, ecx: 33 }, '80186')).toEqual([2]);
  expect(result('f9 6001 f4 40', 'ax', {}, '8086')).toEqual([0]);
  expect(result('0e 0f 40', 'ax', {}, '8086')).toEqual([1]);
});

test('memory wraps at 1 MiB on an 8086 and with A20 off', () => {
  for (const [model, a20, expected] of [
    ['8086', null, 0x55],
    ['80386', true, 0xaa],
    ['80386', false, 0x55],
  ] as const) {
    const bench = makeBench('b8ffff 8ed8 a01000 f4', { model });
    bench.ram[0] = 0x55;
    bench.ram[0x100000] = 0xaa;
    if (a20 !== null) bench.memory.a20 = a20;
    bench.cpu.run(100);
    expect(bench.cpu.get('al')).toBe(expected);
  }
});

test.for([
  ['divide by zero', 'f6f1', 0, 0x100],
  ['INT 3', 'cc', 3, 0x101],
  ['INTO', 'ce', 4, 0x101],
  ['BOUND', '62060002', 5, 0x100],
  ['invalid opcode', '0fff', 6, 0x100],
  ['LOCK without a write', 'f0 8bc3', 6, 0x100],
  ['word across the end of the stack segment', '36a1ffff', 12, 0x100],
  ['word across the end of a segment', 'a1ffff', 13, 0x100],
  ['jump out of the segment', '66e900000100', 13, 0x100],
  ['sixteen bytes', `${'26'.repeat(15)}90`, 13, 0x100],
] as const)('fault: %s', ([, hex, vector, ip]) => {
  const bench = makeBench(hex);
  for (let other = 0; other < 20; other += 1) setVector(bench, other, 0x2000 + other * 16);
  bench.ram.fill(0xf4, 0x12000, 0x12200);
  bench.put(0x200, '01000200');
  if (vector === 4) bench.cpu.set('flags', of);
  bench.cpu.run(10);
  expect(bench.cpu.get('ip')).toBe(0x2001 + vector * 16);
  const top = 0x10000 + bench.cpu.get('sp');
  expect((bench.ram[top] as number) | ((bench.ram[top + 1] as number) << 8)).toBe(ip);
});

test('protected mode of the 80286 is refused by name, and nothing has happened', () => {
  const { cpu } = makeBench('b80100 0f01f0 f4', { model: '80286' });
  expect(cpu.run(10)).toEqual({ reason: 'unsupported', what: 'protected mode of the 80286' });
  expect([cpu.get('ip'), cpu.instructions, cpu.get('cr0') & 1]).toEqual([0x103, 1, 0]);
});

test('a coprocessor is seen to be absent', () => {
  // fninit; mov word [300],5a5a; fnstsw [300]
  const { cpu, ram } = makeBench('dbe3 c70600035a5a dd3e0003 f4');
  expect(cpu.run(10).reason).toBe('halted');
  expect([...ram.subarray(0x10300, 0x10302)]).toEqual([0x5a, 0x5a]);
});

test('callbacks are recognised in ROM only; one that waits lets interrupts in', () => {
  let ready = false;
  const bench = makeBench('cd21 f4', { callback: () => (ready ? 'done' : 'wait') });
  bench.ram.set([0x00, 0x00, 0x00, 0xf0], 0x21 * 4);
  bench.ram.set(bytesOf('fe383412 cf'), 0xf0000);
  setVector(bench, 8, 0x300);
  bench.put(0x300, '40 cf');
  bench.cpu.run(50);
  expect([bench.cpu.halted, bench.cpu.get('cs'), bench.cpu.get('ip')]).toEqual([true, 0xf000, 0]);
  ready = true;
  bench.cpu.setInterruptLine(true);
  bench.cpu.run(51);
  bench.cpu.setInterruptLine(false);
  bench.cpu.run(100);
  expect([bench.cpu.get('ax'), bench.cpu.get('ip')]).toEqual([1, 0x103]);
  const other = makeBench('fe383412 f4');
  setVector(other, 6, 0x400);
  other.put(0x400, 'f4');
  other.cpu.run(10);
  expect(other.cpu.get('ip')).toBe(0x401);
});

test('interrupts wait for the instruction after STI and MOV SS', () => {
  const bench = makeBench('fb 40 40 40 f4');
  setVector(bench, 8, 0x300);
  bench.put(0x300, 'f4');
  bench.cpu.setInterruptLine(true);
  bench.cpu.run(10);
  expect(bench.cpu.get('ax')).toBe(1);
});

test('the trap flag stops after each instruction', () => {
  const bench = makeBench('9c 59 80cd01 51 9d 40 40 40 f4');
  setVector(bench, 1, 0x300);
  bench.put(0x300, '43 cf');
  bench.cpu.run(14);
  expect([bench.cpu.get('ax'), bench.cpu.get('bx')]).toEqual([3, 3]);
});

test('breakpoints stop before, watches after, the trace sees everything', () => {
  const bench = makeBench('40 40 a30003 40 f4');
  const { cpu } = bench;
  cpu.setBreakpoints([{ first: 0x10101, last: 0x10101 }]);
  expect(cpu.run(100)).toEqual({ reason: 'breakpoint' });
  expect([cpu.get('ip'), cpu.instructions]).toEqual([0x101, 1]);
  bench.memory.setWatches([{ first: 0x10300, last: 0x10300, kind: 'write' }]);
  expect(cpu.run(100)).toMatchObject({
    reason: 'watch',
    hits: [{ address: 0x10300, before: 0, value: 2 }],
    by: { ip: 0x102 },
  });
  expect(cpu.get('ip')).toBe(0x105);
  const seen: string[] = [];
  cpu.onInstruction = (instruction) => {
    seen.push(disassemble(instruction));
  };
  cpu.run(100);
  expect(seen).toEqual(['inc ax', 'hlt']);
});

test.each([1, 500])('each instruction that reads a watched byte stops the run, compiled after %s', (compileAfter) => {
  // mov al,[300]; mov al,[bx]; cmp byte [300],5; mov ax,[300]; test byte [300],1; nop; jmp 100
  const bench = makeBench('a00003 8a07 803e000305 a10003 f606000301 90 ebeb', { compileAfter });
  const { cpu } = bench;
  cpu.set('bx', 0x300);
  // The loop is compiled by now where it may be.
  cpu.run(7000);
  bench.memory.setWatches([{ first: 0x10300, last: 0x10300, kind: 'read' }]);
  const stops = Array.from({ length: 10 }, () => [cpu.run(cpu.instructions + 100), cpu.get('ip')]);
  const places = [0x103, 0x105, 0x10a, 0x10d, 0x112];
  expect(stops.map(([, ip]) => ip)).toEqual([...places, ...places]);
  expect(stops.map(([end]) => (end as { by?: { next: number } }).by?.next)).toEqual([...places, ...places]);
  bench.memory.setWatches([]);
  expect(cpu.run(cpu.instructions + 100)).toEqual({ reason: 'count' });
});

test('code that ran while each instruction was asked about is compiled later', () => {
  const bench = makeBench('40 ebfd', { compileAfter: 10 });
  const { cpu } = bench;
  cpu.onInstruction = () => {};
  cpu.run(1000);
  cpu.onInstruction = null;
  cpu.run(2000);
  expect([...cpu.graph.blocks].some(({ region }) => region !== null)).toBe(true);
});

test('ports and interrupts can be listened to', () => {
  const bench = makeBench('b021 e660 e461 cd21 f4');
  setVector(bench, 0x21, 0x300);
  bench.put(0x300, 'cf');
  const seen: unknown[] = [];
  bench.cpu.onPort = ({ kind, port, value }) => {
    seen.push([kind, port, value]);
  };
  bench.cpu.onInterrupt = (vector, cause) => {
    seen.push([vector, cause]);
    bench.cpu.stop();
  };
  expect(bench.cpu.run(100)).toMatchObject({ reason: 'stop', by: { ip: 0x106 } });
  expect(bench.cpu.get('ip')).toBe(0x300);
  expect(seen).toEqual([
    ['out', 0x60, 0x21],
    ['in', 0x61, 0xff],
    [0x21, 'software'],
  ]);
});

test('ROM keeps its bytes, devices get theirs, also in the middle of a word', () => {
  const bench = makeBench('b83412 a3ff04 a3ff05 8b1eff05 f4');
  const device: [number, number][] = [];
  bench.memory.protect(0x10500, 0x105ff);
  bench.memory.addDevice({
    first: 0x10600,
    last: 0x106ff,
    read: () => 0x77,
    write: (address, value) => {
      device.push([address, value]);
    },
    peek: () => 0,
  });
  bench.cpu.run(100);
  expect([bench.ram[0x104ff], bench.ram[0x10500]]).toEqual([0x34, 0]);
  expect(device).toEqual([[0x10600, 0x12]]);
  expect(bench.cpu.get('bx')).toBe(0x7700);
});

test('functions, with how often they were called', () => {
  // call 107; call 10a; hlt; (107) call 10a; (10a) ret
  const { cpu } = makeBench('e80400 e80400 f4 e80000 c3');
  cpu.run(100);
  const at = (ip: number) => (0x1000 << 16) | ip;
  const found = cpu.functions.map(({ key, cause, calls, returns }) => ({ key, cause, calls, returns }));
  expect(found).toContainEqual({ key: at(0x10a), cause: 'call', calls: 2, returns: 2 });
  expect(found.find(({ key }) => key === at(0x100))?.cause).toBe('start');
});

test('the table says what instructions read and write', () => {
  const { cpu } = makeBench('11d8 7400 f7e3');
  expect(effectsOf(cpu.decode(0x1000, 0x100))).toEqual({
    reads: [0, 1],
    writes: [0],
    flagsRead: 'c',
    flagsWritten: 'oszapc',
  });
  expect(effectsOf(cpu.decode(0x1000, 0x102)).flagsRead).toBe('z');
});

test.for([
  ['268b4702', 'mov ax,[es:bx+2]'],
  ['f3a5', 'rep movsw'],
  ['2eac', 'cs lodsb'],
  ['66f7f9', 'idiv ecx'],
  ['67668b448bfc', 'mov eax,[ebx+ecx*4-4]'],
  ['ea34127856', 'jmp far 0x5678:0x1234'],
  ['c6060002ff', 'mov byte [0x200],0xff'],
  ['c8100002', 'enter 0x10,2'],
  ['0fb64501', 'movzx ax,byte [di+1]'],
  ['ff1e0002', 'call far [0x200]'],
  ['0fff', 'db 0xf,0xff'],
] as const)('%s is %s', ([hex, text]) => {
  const { cpu } = makeBench(hex);
  expect(disassemble(cpu.decode(0x1000, 0x100))).toBe(text);
});

test('code above 1 MiB follows A20', () => {
  // jmp far ffff:0010
  const bench = makeBench('ea1000ffff');
  bench.ram.set(bytesOf('b001 f4'), 0x100000);
  bench.ram.set(bytesOf('b002 f4'), 0);
  const at = (al: number) => {
    bench.cpu.set('cs', 0xffff);
    bench.cpu.set('eip', 0x10);
    bench.state[27] = 0;
    bench.cpu.run(bench.cpu.instructions + 10);
    expect(bench.cpu.get('al')).toBe(al);
  };
  at(1);
  bench.memory.a20 = false;
  at(2);
  bench.memory.a20 = true;
  at(1);
});

test('an interrupt whose stack faults is a shutdown', () => {
  const bench = makeBench('bc0100 fb 90 90');
  bench.cpu.setInterruptLine(true);
  expect(bench.cpu.run(10)).toEqual({ reason: 'shutdown' });
});

test.for([
  ['f3aa', { ecx: 300, edi: 0x4001, eax: 0x12 }],
  ['f3ab', { ecx: 301, edi: 0x4001, eax: 0x1234 }],
  ['66f3ab', { ecx: 33, edi: 0x4001, eax: 0x12345678 }],
  ['f3a4', { ecx: 300, esi: 0x4000, edi: 0x5003 }],
  ['f3a5', { ecx: 100, esi: 0x4010, edi: 0x4000 }],
  ['f3a5', { ecx: 100, esi: 0x4000, edi: 0x4003 }],
  ['fdf3a5', { ecx: 100, esi: 0x4100, edi: 0x4103 }],
  ['f3a4', { ecx: 300, esi: 0x4000, edi: 0xffc0 }],
] as const)('%s does the same at once and step by step', ([hex, registers]) => {
  const [fast, slow] = [true, false].map((quick) => {
    const bench = makeBench(`${hex} f4`, { model: hex.startsWith('66') ? '80386' : '8086' });
    for (let n = 0; n < 0x2000; n += 1) bench.ram[0x14000 + n] = (n * 7) & 0xff;
    // A watched page has to be gone through byte by byte.
    if (!quick) bench.memory.setWatches([{ first: 0x10000, last: 0x1ffff, kind: 'write' }]);
    for (const [name, value] of Object.entries(registers)) bench.cpu.set(name, value);
    // Each watched round is a stop of its own.
    while (!bench.cpu.halted && bench.cpu.instructions < 1000) bench.cpu.run(1000);
    return bench;
  }) as [Bench, Bench];
  for (const name of ['cx', 'si', 'di']) expect(fast.cpu.get(name)).toBe(slow.cpu.get(name));
  expect(Buffer.compare(fast.ram, slow.ram)).toBe(0);
  expect(fast.cpu.get('cx')).toBe(0);
});

test.for([
  // mov ax,0b800h; mov es,ax; mov di,offset; mov cx,count; mov ax,1234h; rep stosw; hlt
  ['rep stosw', 'b800b8 8ec0 bf0101 b9f000 b83412 f3ab f4'],
  // the same by rep movsb from what lies at CS:0
  ['rep movsb', 'b800b8 8ec0 31f6 bf0101 b9f000 f3a4 f4'],
])('%s to a device that takes many bytes at once: as to one that does not, and watches see each', ([, code]) => {
  const [first, last] = [0xb8000, 0xbffff];
  const run = (takesMany: boolean, isWatched: boolean) => {
    const bench = makeBench(code ?? '');
    const held = new Uint8Array(last + 1 - first);
    let calls = 0;
    const write = (address: number, value: number) => {
      held[address - first] = value;
    };
    const writeMany = (address: number, bytes: Uint8Array) => {
      calls++;
      held.set(bytes, address - first);
    };
    const read = (address: number) => held[address - first] ?? 0;
    bench.memory.addDevice({ first, last, read, write, peek: read, ...(takesMany && { writeMany }) });
    let hits = 0;
    bench.memory.onWatch = () => hits++;
    if (isWatched) bench.memory.setWatches([{ first: first + 0x180, last: first + 0x183, kind: 'write' }]);
    expect(bench.cpu.run(1000).reason).toBe('halted');
    return { held, calls, hits, registers: ['di', 'si', 'cx'].map((name) => bench.cpu.get(name as 'di')) };
  };
  const { calls, ...many } = run(true, false);
  expect(calls).toBe(1);
  expect({ calls: 0, ...many }).toEqual(run(false, false));
  expect(run(true, true)).toEqual({ ...many, calls: 0, hits: 4 });
});
