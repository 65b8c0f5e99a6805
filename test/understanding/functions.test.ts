import { afterEach, expect, test } from 'vitest';
import { code, DosDesk } from './dos-desk.ts';

let desk: DosDesk;
afterEach(() => desk.close());

/** 100: mov cx,3; 103: call 120; mov ah,2; mov dl,41; int 21; loop 103; mov ah,0; int 16; jmp 100. 120: inc bp; ret. */
const looping = code(['100', 'b90300 e81a00 b402 b241 cd21 e2f5 b400 cd16 ebec'], ['120', '45 c3']);

async function functionAt(offset: string): Promise<Record<string, unknown>> {
  const { functions } = await desk.data('functions_list', { filter: offset, format: 'json' });
  return (functions as Record<string, unknown>[])[0] ?? {};
}

async function blocksOf(address: unknown): Promise<string[]> {
  const { blocks } = await desk.data('graph_read', { address, scope: 'function' });
  return (blocks as { where: string }[]).map(({ where }) => where.slice(5));
}

test('a function ends at its return, wherever that leads', async () => {
  desk = await DosDesk.open({ 'T.COM': looping }, { program: 'T.COM' });
  const { where } = await functionAt(':0120');
  expect(await blocksOf(where)).toEqual(['0120']);
  expect(await functionAt(':0120')).toMatchObject({ bytes: 2, calls: 3, callees: [] });
  const text = await desk.call('graph_read', { address: where, scope: 'function' });
  expect(text).toMatch(/:0120 inc bp\n.*:0121 ret\n {2}-> return #\d+ .*:0106 \(3\)/);
});

test('a service is what lies between its entry and its return', async () => {
  desk = await DosDesk.open({ 'T.COM': looping }, { program: 'T.COM' });
  await desk.call('coverage_read', { action: 'start', name: 'all' });
  await desk.call('input_send', { keys: ['a'] });
  await desk.call('run', { frames: 5 });
  await desk.call('coverage_read', { action: 'stop' });
  const text = await desk.call('coverage_read', { action: 'read' });
  expect(text).toMatch(/int_21h: 2 instructions, 5 bytes, 6 runs/);
  expect(text).toMatch(/:0120: 2 instructions, 2 bytes, 6 runs/);
});

test('the program itself is a function, entered by DOS, and owns its own code', async () => {
  desk = await DosDesk.open({ 'T.COM': looping }, { program: 'T.COM' });
  const entry = await functionAt(':0100');
  expect(entry).toMatchObject({ calls: 1, bytes: 18 });
  expect(await blocksOf(entry.where)).toEqual(['0100', '0103', '0106', '010C', '010E']);
  const inside = String(entry.where).replace(':0100', ':010E');
  expect(await blocksOf(inside)).toEqual(await blocksOf(entry.where));
});

test('a parent goes on with its own calls after a child has ended inside calls', async () => {
  // call 110; mov ah,0; int 16; ret — 110: shrink the block, EXEC the child, ret. The child ends inside a call.
  const parent = code(
    ['100', 'bc0004 e82a00 b400 cd16 ebfe'],
    ['130', 'b44a bb5000 cd21 b8004b ba6001 bb7001 8cc9 890e7401 890e7801 890e7c01 8ed9 8ec1 cd21 c3'],
    ['160', '430044 00'],
    ['170', '0000 8000 0000 5c00 0000 6c00 0000'],
  );
  const named = new Uint8Array(parent);
  named.set(Buffer.from('CHILD.COM\0'), 0x60);
  const child = code(['100', 'e80100 c3 e80100 c3 b8004c cd21']);
  desk = await DosDesk.open({ 'PARENT.COM': named, 'CHILD.COM': child }, { program: 'PARENT.COM' });
  const caller = await functionAt(':0130');
  expect(caller).toMatchObject({ calls: 1, returns: { aligned: 1, misaligned: 0 } });
});

test('ranges stay in their segment, and a run that is still going on says so', async () => {
  desk = await DosDesk.open({ 'T.COM': looping }, { program: 'T.COM' });
  await desk.call('coverage_read', { action: 'start', name: 'all' });
  expect(await desk.call('coverage_read', { action: 'read' })).toContain(
    'all is still going on: no time has passed since it began',
  );
  await desk.call('input_send', { keys: ['a'] });
  await desk.call('run', { frames: 5 });
  const text = await desk.call('coverage_read', { action: 'read', by: 'range' });
  expect(text).toMatch(/all is still going on: so far from/);
  const ranges = [...text.matchAll(/^([0-9A-F]{4}):[0-9A-F]{4} to ([0-9A-F]{4}):[0-9A-F]{4}/gm)];
  expect(ranges.length).toBeGreaterThan(3);
  for (const [, first, last] of ranges) expect(last).toBe(first);
  expect(await desk.call('coverage_read', { action: 'stop' })).toMatch(/all: [\d,]+ to [\d,]+/);
  expect(await desk.call('coverage_read', { action: 'stop' })).toContain('ERROR No run is in progress.');
});

test('one linear address reached through two segments is two places', async () => {
  // 100: push cs; call 120; mov ax,cs; sub ax,10; push cs; push 114; push ax; push 220; retf … 120: inc bx; retf
  const far = code(
    ['100', '0e e81c00 8cc8 2d1000 0e 681401 50 682002 cb'],
    ['114', 'b400 cd16 ebfa'],
    ['120', '43 cb'],
  );
  desk = await DosDesk.open({ 'T.COM': far }, { program: 'T.COM', run_to_prompt: false });
  await desk.call('coverage_read', { action: 'start', name: 'all' });
  await desk.call('run', { frames: 70 });
  const text = await desk.call('coverage_read', { action: 'read', by: 'range', limit: 200 });
  const own = /([0-9A-F]{4}):0120 to \1:0121: 2 instructions, 2 new, 2 bytes, 2 runs/.exec(text)?.[1] ?? '0';
  const other = (Number.parseInt(own, 16) - 0x10).toString(16).toUpperCase().padStart(4, '0');
  expect(text).toContain(`${other}:0220 to ${other}:0221: 2 instructions, 2 new, 2 bytes, 2 runs`);
});
