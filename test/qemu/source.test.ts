import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildKernel, kernelFolder } from '../../examples/kernel/build-kernel.ts';
import { Lab } from './vm.ts';

const source = readFileSync(join(kernelFolder, 'kernel.c'), 'utf8').split('\n');

function line(text: string): number {
  const at = source.findIndex((each) => each.includes(text));
  if (at < 0) throw new Error(`kernel.c has no line with ${text}`);
  return at + 1;
}

async function started(lab: Lab, append: string, ...options: readonly string[]) {
  const kernel = buildKernel(...options);
  const vm = await lab.start({ memory: 32, gpu: 'none', kernel, append, paused: true });
  const machine = vm.handle;
  const ask = (tool: string, args: Record<string, unknown> = {}) => lab.call(tool, { machine, ...args });
  const loaded = await ask('symbols_load', { path: kernel });
  const value = async (expression: string, more: Record<string, unknown> = {}) =>
    (await ask('evaluate', { expression, ...more })).replace(/^qemu-1 .*\n/, '');
  return { vm, ask, value, loaded };
}

const inLoop = `kernel.c:${line('if (each->id == id) return each;')}`;

test.for([['-gdwarf-4'], ['-gdwarf-5']])(
  'values have their types, by %s',
  { timeout: 180_000 },
  async ([version = '']) => {
    await using lab = new Lab();
    const { ask, value, loaded } = await started(lab, 'null', version);
    expect(loaded).toMatch(/types and variables of \d+ functions/);
    await ask('run', { until: inLoop });
    expect(await value('id')).toMatch(/^\(u32\) at 0x[0-9a-f]+ 7$/);
    expect(await value('each->name')).toMatch(/^\(char \*\) at 0x[0-9a-f]+ 0x[0-9a-f]+.* "init"$/);
    expect(await value('*each')).toMatch(
      /\{id = 1, name = 0x[0-9a-f]+.* "init", ticks = 250, next = 0x[0-9a-f]+ <idle>\}$/,
    );
    expect(await value('each->next->ticks + 1')).toBe('(long) 1001');
    expect(await value('each->next == &idle && idle.id == 0')).toBe('(long) 1');
    expect(await value('&each->ticks')).toMatch(/^\(u64 \*\) 0x[0-9a-f]+ <init\+16>$/);
    expect(await value('accounts')).toMatch(/^\(struct lock\) at 0x[0-9a-f]+ \{taken = 0, owner = 0x0\}$/);
    expect(await value('samples')).toMatch(/^\(u32 \[4\]\) at 0x[0-9a-f]+ \[0 \(4 times\)\]$/);
    expect(await value('idt[3].selector')).toMatch(/ 8$/);
    expect(await value('operations.close')).toMatch(/<close_session>$/);
    expect(await value('((struct task *)tasks)->id')).toMatch(/ 1$/);
    expect(await value('(u32)$rip == 0')).toBe('(long) 0');
    expect(await value('found', { frame: 1 })).toMatch(/^\(struct task \*\)/);
    expect(await value('each->nothing')).toMatch(
      /struct task has no member nothing[\s\S]*Members: id, name, ticks, next/,
    );
    expect(await value('nobody')).toMatch(/Nothing is called nobody here/);
    expect(await value('each->')).toMatch(/the name of a member is missing \(column 7\)/);
    expect(await value('found')).toMatch(/Nothing is called found here/);
    expect(await value('id', { frame: 40 })).toMatch(/There is no frame 40/);
  },
);

test('source, arguments and local variables of each frame', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const { ask } = await started(lab, 'null');
  await ask('run', { until: inLoop });
  const here = await ask('source_read');
  expect(here).toMatch(/> +\d+ {2} {4}if \(each->id == id\) return each;/);
  expect(here).toMatch(/argument \(u32\) id = 7\n/);
  expect(here).toMatch(/local \(struct task \*\) each = 0x[0-9a-f]+ <init>/);
  const caller = await ask('source_read', { frame: 1, lines: 1 });
  expect(caller).toMatch(/> +\d+ {2} {2}struct task \*found = find_task\(7\);/);
  expect(caller).toContain('local (struct task *) found = ');
  expect(await ask('source_read', { frame: 2, lines: 0 })).toContain('argument (char *) command = ');
  expect(await ask('source_read', { address: `kernel.c:${line('return sum / sample_count;')}` })).toContain(
    'sum / sample_count',
  );
});

test('conditions and addresses are written with variables', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const { ask, value } = await started(lab, 'null');
  expect(await ask('breakpoint_set', { address: inLoop, condition: 'each->id == 0 && each->ticks > 999' })).toMatch(
    /#?1/,
  );
  await ask('run', { timeout_ms: 50_000 });
  expect(await value('each')).toMatch(/<idle>$/);
  expect(await ask('memory_read', { address: 'each->name', length: 4 })).toContain('69 64 6C 65');
  expect(await ask('memory_read', { address: '&tasks->next', length: 8 })).toMatch(/[0-9A-F]{2} /);
  // Whether a structure has a member shows where it is used: never to stop there would say that the condition did not hold.
  await ask('breakpoint_delete', { id: 1 });
  await ask('breakpoint_set', { address: inLoop, condition: 'each->nobody == 0' });
  await ask('machine_reset', { mode: 'hard' });
  expect(await ask('run', { timeout_ms: 50_000 })).toMatch(
    /breakpoint 2, exec; its condition cannot be evaluated: struct task has no member nobody/,
  );
  expect(await ask('breakpoint_set', { address: inLoop, condition: 'nobody->id == 3' })).toMatch(
    /Condition|no name|means nothing/,
  );
});

test('what was optimised away is said to be', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const { ask, value } = await started(lab, 'division', '-O2', '-fno-inline');
  await ask('run', { until: 'average' });
  await ask('step', { count: 3 });
  expect(await value('sample_count')).toMatch(/optimised out/);
});
