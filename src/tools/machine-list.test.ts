import { expect, test } from 'vitest';
import { makeRack } from '../../test/make-rack.ts';
import { toyKind } from '../../test/toy-kind.ts';
import { outcomeText } from '../api/outcome-text.ts';
import type { Rack } from '../rack/rack.ts';
import { Confirmations } from './confirmations.ts';
import { maxAnswerChars } from './fit-json.ts';
import { machineList } from './machine-list.ts';
import { machineStop } from './machine-stop.ts';
import { Toolbox } from './toolbox.ts';

const caller = { client: 'test', role: 'own', signal: new AbortController().signal, progress() {} } as const;

function listOf(rack: Rack) {
  const failed = (error: unknown) => {
    throw error;
  };
  const toolbox = new Toolbox([machineList, machineStop], ['all'], rack, new Confirmations(false, () => ''), failed);
  return async (args: Record<string, unknown>, tool = 'machine_list') =>
    outcomeText(await toolbox.call(tool, args, caller));
}

async function rackOf(count: number): Promise<Rack> {
  const rack = makeRack([toyKind], { machines: count });
  for (let number = 0; number < count; number++) await rack.start('toy', { running: number % 100 === 0 });
  return rack;
}

test('500 machines are listed in pages, each once, in the order of their numbers', async () => {
  const list = listOf(await rackOf(500));
  for (const format of ['text', 'json']) {
    const seen: string[] = [];
    for (let after: string | undefined; ; ) {
      const text = await list({ format, ...(after !== undefined && { after }) });
      expect(text.length).toBeLessThan(maxAnswerChars);
      seen.push(...(text.match(/toy-\d+(?= [A-Z]|","kind)/g) ?? []));
      after = /"after":"([^"]+)"/.exec(text)?.[1];
      if (after === undefined) break;
    }
    expect(seen).toEqual(Array.from({ length: 500 }, (_, index) => `toy-${index + 1}`));
  }
});

test('a page goes on after a machine that has gone', async () => {
  const rack = await rackOf(3);
  const list = listOf(rack);
  await rack.stop('toy-2', 'test');
  expect(await list({ after: 'toy-2' })).toMatch(/^toy-3 /);
});

test('a filter has words of name, kind, state and title, in any case', async () => {
  const rack = await rackOf(101);
  rack.get('toy-7').title = 'Router';
  const list = listOf(rack);
  expect((await list({ filter: 'running TOY' })).match(/^toy-\d+/gm)).toEqual(['toy-1', 'toy-101']);
  expect((await list({ filter: 'router' })).match(/^toy-\d+/gm)).toEqual(['toy-7']);
  expect(await list({ filter: 'nobody' })).toBe('None of 101 machines fits.');
});

test('answers that name machines in passing stay short', async () => {
  const list = listOf(await rackOf(200));
  expect(await list({ machine: 'toy-1' }, 'machine_stop')).toMatch(/Still running: .*toy-31 and 169 more\.$/);
  expect((await list({ machine: 'nobody' }, 'machine_stop')).length).toBeLessThan(1500);
});
