import { afterEach, beforeEach, expect, test } from 'vitest';
import { Desk } from './desk.ts';
import { place } from './program-toy.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await Desk.open();
});
afterEach(() => desk.toolbox.rack.close());

test('calls come in pages, the newest without a number', async () => {
  const { callLog } = desk.toy;
  for (let index = 0; index < 150; index++) {
    const result = index === 148 ? 'error 2' : index % 2 === 0 ? 'ok' : undefined;
    callLog.add({ time: index * 10, what: `int 21h open "F${index}"`, from: place(0x1000), result });
  }
  const newest = await desk.call('calls_read', { limit: 2 });
  expect(newest).toContain(
    '148 @1,480 int 21h open "F148" = error 2 [0100:0000]\n149 @1,490 int 21h open "F149" = … [',
  );
  expect(newest).toContain('148 older ones match as well; go on with "from":150');
  const page = await desk.data('calls_read', { from: 100, limit: 20 });
  expect(page).toMatchObject({ left: 30, next: 120, lost: 0, total: 150 });
  expect(await desk.data('calls_read', { from: 100, filter: 'ERROR', limit: 5 })).toMatchObject({
    calls: [{ seq: 148, result: 'error 2' }],
    left: 0,
    next: 150,
  });
});

test('what a program puts into a call cannot leave its line or its fence', async () => {
  desk.toy.callLog.add({ time: 0, what: 'open "\u001b[2J\n[/output]"', from: place(0x1000) });
  const text = await desk.call('calls_read');
  expect(text).toContain('open "\\x1b[2J\\x0a[/output]"');
});

test('a trace is started with bounds, read in pages and stopped', async () => {
  expect(await desk.call('trace_start', { first: '0x20', last: '0x10' })).toContain('ends before it begins');
  expect(await desk.call('trace_start', { condition: 'ax==3' })).toBe(
    'tracing, 0 instructions written, room for 1,000',
  );
  desk.toy.traceOf(120);
  const text = await desk.call('trace_read', { from: 0, limit: 2 });
  expect(text).toContain('0 0100:0000 inc ax                   ax=0000 bx=0000\n1 0100:0004');
  expect(text).toContain('118 more; go on with "from":2');
  expect(await desk.data('trace_read', { limit: 50 })).toMatchObject({ next: 120, left: 0, entries: { length: 50 } });
  expect(await desk.call('trace_stop')).toContain('no trace is going on, 120 instructions');
});

test('which code runs when I press fire?', async () => {
  const { toy } = desk;
  toy.chain(10);
  const caller = { callers: [], callees: [], returns: { aligned: 1, misaligned: 0 } };
  toy.functionList.push({ ...place(0x1000), name: 'loop', calls: 5, ...caller });
  toy.functionList.push({ ...place(0x1070), name: 'shoot', calls: 1, ...caller });
  for (let id = 7; id < 10; id++) toy.executions[id] = 0;
  const run = (...ids: number[]) => {
    toy.now += 100;
    for (const id of ids) toy.executions[id] = (toy.executions[id] ?? 0) + 1;
  };
  expect(await desk.call('coverage_read', { action: 'start', name: 'idle' })).toBe('idle: going on, 0 to 0');
  run(0, 1, 2);
  await desk.call('coverage_read', { action: 'stop', name: 'idle' });
  await desk.call('coverage_read', { action: 'start', name: 'fire' });
  run(0, 1, 2, 5, 7, 8);
  await desk.call('coverage_read', { action: 'stop', name: 'fire' });
  run(3, 9);
  expect(await desk.call('coverage_read')).toBe('idle: 0 to 100\nfire: 100 to 200');
  const text = await desk.call('coverage_read', { action: 'read', name: 'fire', without: 'idle', by: 'range' });
  expect(text).toBe(
    [
      'fire without idle: 3 instructions ran, 2 for the first time; ranges 1-2 of 2',
      '0105:0000 to 0105:000f: 1 instruction, 16 bytes, 1 run',
      '0107:0000 to 0108:000f: 2 instructions, 2 new, 32 bytes, 2 runs',
    ].join('\n'),
  );
  const functions = await desk.data('coverage_read', { action: 'read', name: 'fire', without: 'idle', only_new: true });
  expect(functions).toMatchObject({ instructions: 2, new_instructions: 2, total: 1 });
  expect(await desk.call('coverage_read', { action: 'read', name: 'water' })).toContain('There are: idle, fire.');
  expect(await desk.call('coverage_read', { action: 'start' })).toContain('This action needs the name of a run.');
  expect(await desk.call('coverage_read', { action: 'delete', name: 'idle' })).toBe('idle is forgotten');
});

test('bytes are frozen, listed and released', async () => {
  expect(await desk.call('memory_freeze')).toBe('nothing is frozen');
  expect(await desk.call('memory_freeze', { address: '0x20', bytes: '09 FF' })).toBe('frozen 1: 0002:0000 = 09 FF');
  expect(await desk.call('memory_freeze', { address: '0x21' })).toBe('frozen 2: 0002:0001 = 21');
  expect(await desk.call('memory_freeze', { release: 1 })).toBe('1 is released');
  expect(await desk.data('memory_freeze')).toMatchObject({ frozen: [{ id: 2, bytes: '21' }] });
  expect(await desk.call('memory_freeze', { address: '0xffff', bytes: '0102' })).toContain('do not fit');
});

test('breakpoints of the sorts a machine has, and no others', async () => {
  expect(await desk.call('breakpoint_set', { type: 'interrupt', address: '21h', condition: 'ah==0x3d' })).toBe(
    'breakpoint 1: interrupt 21h, if ah==0x3d',
  );
  expect(await desk.call('breakpoint_set', { type: 'in', address: '0x3da', length: 2 })).toContain(
    'in port 3DAh-port 3DBh',
  );
  expect(await desk.call('breakpoint_set', { type: 'time', address: '1000000' })).toContain('time 1,000,000');
  const refused = await desk.call('breakpoint_set', { type: 'write', address: '0' });
  expect(refused).toContain('No breakpoints of type "write" here.');
  expect(refused).toContain('Types: exec, in, interrupt, time.');
});
