import { beforeEach, expect, test } from 'vitest';
import { com, exit, label, print, short, word } from '../../board/com-testing.ts';
import { driveOf, SystemBench } from '../../board/system-testing.ts';
import { TestMachine } from './test-machine-testing.ts';

const first = 0xc830;
const end = 0xe000;
let machine: TestMachine;
beforeEach(() => {
  machine = new TestMachine(driveOf({}));
  machine.kernel.install({ upper: { first, end } });
});

const allocate = (bx: number) => machine.dos(0x4800, { bx });
const strategy = (bx: number) => machine.dos(0x5801, { bx });
const link = (bx: number) => machine.dos(0x5803, { bx });

test('is not linked at first, and linked is one chain with conventional memory', () => {
  expect(machine.dos(0x5802).ax & 0xff).toBe(0);
  strategy(0x40);
  expect(allocate(0x10).ax).toBeLessThan(0xa000);
  expect(link(1).carry).toBe(false);
  expect(machine.dos(0x5802).ax & 0xff).toBe(1);
  expect(allocate(0x10).ax).toBe(first + 1);
  const { blocks } = machine.kernel.dos;
  expect([...blocks.walk()].at(-1)).toMatchObject({ owner: 0, last: true, control: first + 0x11 });
  expect([...blocks.walk()].find(({ control }) => control === 0x9fff)).toMatchObject({ owner: 8, name: 'SC' });
  link(0);
  expect([...blocks.walk()].at(-1)?.control).toBeLessThan(0x9fff);
});

test('strategies look high only, high first, or through everything', () => {
  link(1);
  strategy(0x40);
  expect(allocate(0xffff)).toMatchObject({ carry: true, ax: 8 });
  expect(machine.guest.bx).toBe(end - first - 1);
  expect(allocate(end - first - 1).ax).toBe(first + 1);
  expect(allocate(1)).toMatchObject({ carry: true, ax: 8 });
  strategy(0x80);
  expect(allocate(0x10).ax).toBeLessThan(0xa000);
  machine.dos(0x4900, { es: first + 1 });
  strategy(0);
  allocate(0xffff);
  expect(allocate(machine.guest.bx).ax).toBeLessThan(0xa000);
  expect(allocate(0x100).ax).toBe(first + 1);
  expect(strategy(0xc0)).toMatchObject({ carry: true, ax: 1 });
  expect(link(2)).toMatchObject({ carry: true, ax: 1 });
});

test('blocks are freed and resized although they are not linked', () => {
  link(1);
  strategy(0x40);
  const { ax: segment } = allocate(0x10);
  link(0);
  expect(machine.dos(0x4a00, { es: segment, bx: 0x20 }).carry).toBe(false);
  expect(machine.dos(0x4900, { es: segment }).carry).toBe(false);
  expect(machine.dos(0x4900, { es: segment + 1 })).toMatchObject({ carry: true, ax: 9 });
  const upper = machine.kernel.view().blocks.filter(({ segment: at }) => at > first);
  expect(upper.map(({ owner }) => owner)).toEqual([0, 0]);
});

test('without it function 5803h fails', () => {
  machine.kernel.install();
  expect(link(1)).toMatchObject({ carry: true, ax: 1 });
});

test('LOADHIGH puts a program there, and what it leaves is freed at its end', () => {
  const bench = new SystemBench({ 'where.com': tellSegment }, ['lh where', 'where']).run();
  expect(bench.screen).toBe('high low');
  const { blocks } = bench.system.kernel.view();
  expect(blocks.at(-1)).toMatchObject({ owner: 0, segment: first + 1 });
});

/** mov ax,cs / cmp ax,A000h / jae high */
const tellSegment = com([
  [0x8c, 0xc8, 0x3d, word(0xa000), 0x73, short('up')],
  print('low'),
  exit(),
  label('up'),
  print('high'),
  exit(),
  label('low'),
  'low$',
  label('high'),
  'high $',
]);
