import { expect, test } from 'vitest';
import { qmpAnswer } from './qmp-answers.ts';

test('what is used of an answer is taken, whatever else a newer QEMU tells', () => {
  const status = { running: true, status: 'running', singlestep: false, 'of-tomorrow': 1 };
  expect(qmpAnswer('query-status', status)).toEqual({ running: true, status: 'running' });
  const node = { 'node-name': 'a', drv: 'qcow2', file: '/a', image: { 'virtual-size': 1, format: 'qcow2' }, ro: true };
  expect(qmpAnswer('query-named-block-nodes', [node])).toEqual([
    { 'node-name': 'a', drv: 'qcow2', file: '/a', image: { 'virtual-size': 1 } },
  ]);
});

test.for([
  ['query-status', {}, 'running'],
  ['query-status', 'running', 'the whole'],
  ['query-status', undefined, 'the whole'],
  ['query-named-block-nodes', {}, 'the whole'],
  ['query-named-block-nodes', [{ drv: 'qcow2', file: 5 }], '0.file'],
  ['query-replay', { icount: '5' }, 'icount'],
] as const)('%s answered with %j is refused, and says where it is wrong', ([query, answer, place]) => {
  expect(() => qmpAnswer(query, answer)).toThrow(
    expect.objectContaining({ type: 'UNAVAILABLE', message: expect.stringContaining(`(${place}: `) }),
  );
});
