import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Desk } from './desk.ts';
import { readDot } from './dot-check.ts';
import { decodePng } from './png-check.ts';
import { place } from './program-toy.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await Desk.open();
  desk.toy.chain(45);
});
afterEach(() => desk.toolbox.rack.close());

describe('graph_read', () => {
  test('pages through the whole graph with exact counts', async () => {
    const first = await desk.call('graph_read', {});
    expect(first).toContain('45 blocks, 44 edges; 1 entry points: 0100:0000');
    expect(first).toContain('blocks 1-20 of 45');
    expect(first).toContain('25 more; go on with "from":20');
    const seen = new Set<number>();
    let next: unknown = 0;
    while (next !== undefined) {
      const page = await desk.data('graph_read', { from: next, limit: 7 });
      for (const { id } of page.blocks as { id: number }[]) seen.add(id);
      next = page.next;
    }
    expect(seen.size).toBe(45);
  });

  test('shows a block with its code, its variant and where it goes', async () => {
    desk.toy.edge(3, { type: 'call', to: 40, count: 2 });
    desk.toy.edge(3, { type: 'fault', to: 41 });
    const text = await desk.call('graph_read', { address: '0x1030', depth: 0 });
    expect(text).toContain('#3 0103:0000, 1 run, variant 2 of 3 (gone)\n  0103:0000 op 3.0\n');
    expect(text).toContain('  -> #4 0104:0000 (1); call #40 0128:0000 (2); fault #41 0129:0000');
  });

  test('around an address goes both ways, a function stops at calls', async () => {
    const ids = async (args: Record<string, unknown>) =>
      ((await desk.data('graph_read', args)).blocks as { id: number }[]).map(({ id }) => id);
    expect(await ids({ address: '0x1054', depth: 1 })).toEqual([4, 5, 6]);
    desk.toy.edge(43, { type: 'call', to: 0 });
    desk.toy.edge(43, { type: 'fault', to: 1 });
    desk.toy.edge(44, { type: 'return', to: 2 });
    expect(await ids({ address: '0x12a0', scope: 'function' })).toEqual([42, 43, 44]);
  });

  test('says so where nothing ran', async () => {
    const text = await desk.call('graph_read', { address: '0x9000' });
    expect(text).toMatch(/^ERROR No code has run at 0900:0000/);
    expect(await desk.call('graph_read', { as: 'xrefs' })).toContain('This view needs an address.');
  });

  test('cross references lead from calls, jumps and data, in pages', async () => {
    desk.toy.edge(9, { type: 'call', to: 2, count: 7 });
    const text = await desk.call('graph_read', { address: '0x1020', as: 'xrefs' });
    expect(text).toContain('references 1-2 of 2');
    expect(text).toContain('normal from 0101:000c op 1.12 (1)');
    expect(text).toContain('call from 0109:000c op 9.12 (7)');
    expect(await desk.call('graph_read', { address: '0x102c', as: 'xrefs' })).toContain('normal to 0103:0000 (1)');
    expect(await desk.call('graph_read', { address: '0x8000', as: 'xrefs' })).toContain('write from 0100:0004');
    expect(await desk.call('graph_read', { address: '0x1004', as: 'xrefs' })).toContain('write to 0800:0000');
    const page = await desk.data('graph_read', { address: '0x1020', as: 'xrefs', limit: 1 });
    expect(page).toMatchObject({ total: 2, next: 1 });
  });

  test('DOT is valid whatever programs and people call things', async () => {
    desk.toy.hostileText = ' "]; evil [label="\\" \u0007\u001b[2J \\';
    desk.toy.edge(2, { type: 'call-to-return', to: 44 });
    const dot = String((await desk.data('graph_read', { as: 'dot', limit: 5 })).dot);
    const { nodes, edges } = readDot(dot);
    expect([...nodes.keys()].sort()).toEqual(['b0', 'b1', 'b2', 'b3', 'b4', 'b44', 'b5']);
    expect(edges).toHaveLength(6);
    expect(dot).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  test('the picture is a PNG with a box for each block and code in it', async () => {
    desk.toy.edge(5, { type: 'normal', to: 1 });
    desk.toy.edge(6, { type: 'normal', to: 6 });
    desk.toy.edge(2, { type: 'call', to: 6 });
    const outcome = await desk.outcome('graph_read', { as: 'picture', limit: 8 });
    if (outcome.type !== 'answer') throw new Error('no answer');
    const { width, height, pixels } = decodePng(outcome.answer.images?.[0]?.base64 ?? '');
    expect(Math.max(width, height)).toBeLessThanOrEqual(1568);
    const colours = new Set(pixels);
    // Paper, ink, title, and the three sorts of edges drawn.
    for (const colour of [0, 1, 2, 3, 4]) expect(colours).toContain(colour);
    expect(outcome.answer.text).toContain('blocks 1-8 of 45');
    expect(outcome.answer.text).toContain('37 more');
  });

  test('a picture of many blocks stays within what models take', async () => {
    for (let id = 1; id < 45; id++) desk.toy.edge(0, { type: 'normal', to: id });
    const outcome = await desk.outcome('graph_read', { as: 'picture' });
    if (outcome.type !== 'answer') throw new Error('no answer');
    const { width, height } = decodePng(outcome.answer.images?.[0]?.base64 ?? '');
    expect(Math.max(width, height)).toBeLessThanOrEqual(1568);
    const [, drawn, left] = /blocks 1-(\d+) of 45[^\n]*\n(\d+) more; go on/.exec(outcome.answer.text) ?? [];
    expect(Number(drawn)).toBeGreaterThan(3);
    expect(Number(drawn) + Number(left)).toBe(45);
  });
});

describe('functions_list', () => {
  beforeEach(() => {
    for (let index = 0; index < 30; index++) {
      desk.toy.functionList.push({
        ...place(0x1000 + index * 16),
        name: index % 2 === 0 ? `even_${index}` : undefined,
        calls: index * 10,
        callers: Array.from({ length: index % 7 }, (_, caller) => place(0x2000 + caller)),
        callees: [],
        returns: { aligned: index, misaligned: index === 29 ? 3 : 0 },
      });
    }
  });

  test('the most called come first, pages count exactly', async () => {
    const text = await desk.call('functions_list', { limit: 3 });
    expect(text).toContain('functions 1-3 of 30');
    expect(text).toContain('011d:0000: 290 calls; from 0200:0000; 29 returns and 3 elsewhere');
    expect(text).toContain('27 more; go on with "from":3');
    expect(await desk.call('functions_list', { from: 29 })).toContain('functions 30-30 of 30');
    expect(await desk.call('functions_list', { from: 30 })).toContain('no functions from 30 on; there are 30');
  });

  test('filters by name and by address, sorts by either', async () => {
    const text = await desk.call('functions_list', { filter: 'EVEN_1', sort: 'name', limit: 2 });
    expect(text).toContain('functions 1-2 of 5 (30 are known)\n010a:0000 even_10:');
    expect(await desk.call('functions_list', { filter: '011d:0000' })).toContain('functions 1-1 of 1');
    const { functions } = await desk.data('functions_list', { sort: 'address', limit: 2 });
    expect(functions).toMatchObject([{ address: 0x1000 }, { address: 0x1010 }]);
  });

  test('many callers are counted', async () => {
    expect(await desk.call('functions_list', { filter: '0114:0000' })).toContain('0200:0003 and 2 more; 20 returns');
  });
});
