import { expect, test } from 'vitest';
import { setVector } from '../../../chips/x86/x86-testing.ts';
import { desk } from './desk-testing.ts';
import { dosCoverage } from './dos-coverage.ts';
import { DosFunctions } from './dos-functions.ts';
import { DosGraph } from './dos-graph.ts';

// call 110; call 110; hlt … (110) inc ax; call 120; ret … (120) pop bx; add bx,1; push bx; ret
const program = 'e80d00 e80a00 f4';
const functions = (bench: ReturnType<typeof desk>) => {
  bench.put(0x110, '40 e80c00 90 c3');
  bench.put(0x120, '5b 83c301 53 c3');
};

const functionsOf = ({ cpu, addresses: { symbols } }: ReturnType<typeof desk>) =>
  new DosFunctions(cpu, symbols, new DosGraph(cpu, symbols));

test('functions with callers, callees and both sorts of returns', async () => {
  const bench = desk(program);
  functions(bench);
  bench.addresses.symbols.add([['worker', 0x10110n]]);
  bench.run();
  const list = await functionsOf(bench).list();
  const worker = list.find(({ name }) => name === 'worker');
  expect(worker).toMatchObject({ where: '1000:0110', calls: 2, returns: { aligned: 2, misaligned: 0 } });
  expect(worker?.callers.map(({ where }) => where)).toEqual(['1000:0100', '1000:0103']);
  expect(worker?.callees.map(({ where }) => where)).toEqual(['1000:0120']);
  expect(list.find(({ where }) => where === '1000:0120')).toMatchObject({ returns: { aligned: 0, misaligned: 2 } });
  expect(list.find(({ where }) => where === '1000:0100')).toMatchObject({ calls: 1, callers: [] });
});

test('handlers have the names of their vectors', async () => {
  const bench = desk('cd21 f4');
  setVector(bench, 0x21, 0x130);
  bench.put(0x130, 'cf');
  bench.run();
  const list = await functionsOf(bench).list();
  expect(list.find(({ where }) => where === '1000:0130')).toMatchObject({ name: 'int_21h', calls: 1 });
});

test('the graph with typed edges, ids that stay, entry points and context', async () => {
  const bench = desk(program);
  functions(bench);
  const graph = new DosGraph(bench.cpu, bench.addresses.symbols);
  bench.run();
  const first = await graph.read();
  const at = (where: string) => [...first.blocks.values()].find((block) => block.where === where);
  const start = at('1000:0100');
  expect(start?.edges.map(({ type, count }) => [type, count])).toEqual([
    ['call', 1],
    ['call-to-return', 1],
  ]);
  expect(start?.edges[0]?.to).toBe(at('1000:0110')?.id);
  expect(at('1000:0110')).toMatchObject({ kind: 'code', executions: 2, bytes: 4 });
  expect(at('1000:0110')?.edges.map(({ type }) => type)).toContain('misaligned-return');
  expect(
    at('1000:0120')
      ?.instructions()
      .map(({ text }) => text),
  ).toEqual(['pop bx', 'add bx,1', 'push bx', 'ret']);
  expect(first).toMatchObject({
    entryPoints: [{ where: '1000:0100' }],
    context: { depth: 0, entry: { where: '1000:0100' } },
  });
  const second = await graph.read();
  expect([...second.blocks.keys()]).toEqual([...first.blocks.keys()]);
});

test('changed code shows as variants behind a selector', async () => {
  // mov cx,4; (103) inc bx; xor byte [103],8; loop 103; hlt
  const { cpu, addresses, run } = desk('b90400 43 8036030108 e2f8 f4');
  run();
  const { blocks } = await new DosGraph(cpu, addresses.symbols).read();
  const here = [...blocks.values()].filter(({ where }) => where === '1000:0103');
  expect(here.map(({ kind }) => kind).sort()).toEqual(['code', 'code', 'selector']);
  const selector = here.find(({ kind }) => kind === 'selector');
  expect(selector?.edges.every(({ type }) => type === 'selector')).toBe(true);
  const variants = here.filter(({ kind }) => kind === 'code').map(({ variant }) => variant);
  expect(variants.map((variant) => variant?.of)).toEqual([2, 2]);
  expect(variants.filter((variant) => variant?.live)).toHaveLength(1);
});

test('a block leads to the variants that come next', async () => {
  // mov cx,2; (103) nop; (104) inc bx; xor byte [104],8; loop 103; hlt
  const { cpu, addresses, run } = desk('b90200 90 43 8036040108 e2f7 f4');
  run();
  const { blocks } = await new DosGraph(cpu, addresses.symbols).read();
  const at = (where: string) => [...blocks.values()].filter((block) => block.where === where);
  const [before] = at('1000:0103');
  expect(before).toMatchObject({ kind: 'code', executions: 2, bytes: 1 });
  expect(before?.edges.map(({ type, count }) => [type, count])).toEqual([
    ['selector', 1],
    ['selector', 1],
  ]);
  expect(before?.edges.map(({ to }) => blocks.get(to))).toEqual(at('1000:0104'));
  expect(at('1000:0104').map(({ variant }) => variant?.live)).toEqual([true, false]);
});

test('a block with an instruction that gave way to another is a variant', async () => {
  // call 110; mov word [111],f448; jmp 111; (110) nop; (111) inc ax -> dec ax; ret -> hlt
  const { cpu, addresses, put, run } = desk('e80d00 c706110148f4 eb06');
  put(0x110, '90 40 c3');
  run();
  const { blocks } = await new DosGraph(cpu, addresses.symbols).read();
  const shown = [...blocks.values()].map(({ where, variant }) => [where, variant?.number, variant?.live]);
  expect(shown).toEqual([
    ['1000:0100', undefined, undefined],
    ['1000:0110', 1, false],
    ['1000:0103', undefined, undefined],
    ['1000:0111', 2, true],
  ]);
});

test('an interrupt is a context of its own', async () => {
  const bench = desk('fb 90 90 90 90 f4');
  setVector(bench, 8, 0x140);
  bench.put(0x140, '40 cf');
  bench.cpu.run(2);
  bench.cpu.setInterruptLine(true);
  bench.cpu.run(3);
  const graph = await new DosGraph(bench.cpu, bench.addresses.symbols).read();
  expect(graph.context).toMatchObject({ depth: 1, entry: { where: '1000:0140' } });
  expect(graph.entryPoints.map(({ where }) => where).sort()).toEqual(['1000:0100', '1000:0140']);
});

test('coverage of a run, and what ran in one but not the other', async () => {
  // (100) inc ax; cmp ax,3; jne 100; inc bx; hlt
  const { cpu, run } = desk('40 83f803 75fa 43 f4');
  const coverage = dosCoverage(cpu);
  await coverage.start('loop');
  run(5);
  await coverage.stop('loop');
  await coverage.start('end');
  run();
  const ids = async (name: string) => (await coverage.read(name)).map(({ where }) => where);
  expect(await ids('loop')).toEqual(['1000:0100', '1000:0101', '1000:0104']);
  const end = await coverage.read('end');
  expect(end.filter(({ isNew }) => isNew).map(({ where }) => where)).toEqual(['1000:0106', '1000:0107']);
  expect(end.find(({ where }) => where === '1000:0100')).toMatchObject({ executions: 1, isNew: false });
});
