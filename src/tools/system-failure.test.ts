import { expect, test } from 'vitest';
import { z } from 'zod';
import { makeRack } from '../../test/make-rack.ts';
import { Confirmations } from './confirmations.ts';
import { defineRackTool } from './tool.ts';
import { Toolbox } from './toolbox.ts';

test.each([
  ['ENOSPC', 'a disk of this computer is full', /Make room/],
  ['EDQUOT', 'has no room left', /Make room/],
  ['EROFS', 'cannot be written', /look at that disk/],
  ['EIO', 'reports errors', /look at that disk/],
  ['EMFILE', 'too many files open', /ulimit -n/],
])('%s, wherever it was met, is told as what it is and is no error of ours', async (code, what, fix) => {
  const write = defineRackTool({
    name: 'write',
    title: 'Write',
    description: 'Writes.',
    toolset: 'machines',
    effect: 'change',
    input: z.object({}),
    run: () => Promise.reject(Object.assign(new Error(`${code}: write`), { code })),
  });
  const bugs: unknown[] = [];
  const box = new Toolbox([write], ['all'], makeRack([]), new Confirmations(false, () => ''), (bug) => bugs.push(bug));
  const caller = { client: 'test', role: 'own', signal: new AbortController().signal, progress: () => {} } as const;
  const { error } = (await box.call('write', {}, caller)) as { error: { message: string; fix: string } };
  expect(error).toMatchObject({ type: 'UNAVAILABLE', message: expect.stringContaining(what) });
  expect(error.fix).toMatch(fix);
  expect(bugs).toEqual([]);
});
