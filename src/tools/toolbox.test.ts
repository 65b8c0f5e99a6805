import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { makeRack } from '../../test/make-rack.ts';
import { toyKind, toys } from '../../test/toy-kind.ts';
import { outcomeText } from '../api/outcome-text.ts';
import type { Caller } from '../api/tool-host.ts';
import { MachineError } from '../machine/errors.ts';
import type { RackLimits } from '../rack/rack.ts';
import { batch } from './batch.ts';
import { Confirmations } from './confirmations.ts';
import { machineKinds } from './machine-kinds.ts';
import { machineList } from './machine-list.ts';
import { machineStart } from './machine-start.ts';
import { machineStop } from './machine-stop.ts';
import { defineTool, type Tool } from './tool.ts';
import { type Elsewhere, Toolbox } from './toolbox.ts';
import type { ToolsetChoice } from './toolsets.ts';

const peek = defineTool({
  name: 'peek',
  title: 'Peek',
  description: 'Reads a byte.',
  toolset: 'machines',
  needs: ['memory'],
  effect: 'read',
  input: z.object({ address: z.number().int().min(0).max(15), format: z.enum(['text', 'json']).optional() }),
  async run(machine, { address }) {
    const [byte = 0] = await machine.memory.peek('ram', BigInt(address), 1);
    return { text: `${byte} held=${toys.at(-1)?.held}`, data: { byte } };
  },
});

const poke = defineTool({
  name: 'poke',
  title: 'Poke',
  description: 'Writes a byte.',
  toolset: 'machines',
  needs: ['memory'],
  effect: 'change',
  whileStopped: true,
  input: z.object({ address: z.number(), value: z.number() }),
  confirm: (_machine, { address }) => (address === 0 ? 'Really write the first byte?' : undefined),
  async run(machine, { address, value }) {
    await machine.memory.poke('ram', BigInt(address), Uint8Array.of(value));
    return { text: 'written' };
  },
});

const talk = defineTool({
  name: 'talk',
  title: 'Talk',
  description: 'Needs a console.',
  toolset: 'debug',
  needs: ['console'],
  effect: 'change',
  input: z.object({}),
  run: async () => ({ text: 'never' }),
});

const crash = defineTool({
  name: 'crash',
  title: 'Crash',
  description: 'Has a bug.',
  toolset: 'search',
  needs: [],
  effect: 'change',
  input: z.object({}),
  run: () => Promise.reject(new TypeError('secret internals')),
});

const hang = defineTool({
  name: 'hang',
  title: 'Hang',
  description: 'Waits until it is told to stop, or for ever.',
  toolset: 'machines',
  needs: [],
  effect: 'change',
  input: z.object({ deaf: z.boolean().default(false), fails_with: z.enum(['its reason', 'an abort']).optional() }),
  run: (_machine, { deaf, fails_with: how }, { signal }) =>
    new Promise((_, reject) => {
      const abort = new DOMException('The operation was aborted', 'AbortError');
      if (how) signal.addEventListener('abort', () => reject(how === 'an abort' ? abort : signal.reason));
      if (!deaf) signal.addEventListener('abort', () => reject(new MachineError('CANCELLED', 'told to stop', 'none')));
    }),
});

/** Hands back what it was given, as a machine or a file system might. */
const echo = defineTool({
  name: 'echo',
  title: 'Echo',
  description: 'Says what it is told.',
  toolset: 'machines',
  needs: [],
  effect: 'change',
  input: z.object({ words: z.string(), how: z.enum(['answer', 'error', 'ask']), format: z.literal('json').optional() }),
  confirm: (_machine, { words, how }) => (how === 'ask' ? `Say ${words}?` : undefined),
  async run(_machine, { words, how }) {
    if (how === 'error') throw new MachineError('NOT_FOUND', `no ${words}`, `not ${words}`, { words: [words] });
    return { text: `said ${words}`, data: { words, [words]: [{ deep: words }] } };
  },
});

const all: readonly Tool[] = [
  machineKinds,
  machineStart,
  machineList,
  machineStop,
  batch,
  peek,
  poke,
  talk,
  crash,
  hang,
  echo,
];
const caller: Caller = { client: 'test', role: 'own', signal: new AbortController().signal, progress: () => {} };

function toolbox(wanted = true, limits: Partial<RackLimits> = {}, elsewhere?: Elsewhere) {
  const bugs: unknown[] = [];
  let tokens = 0;
  const confirmations = new Confirmations(wanted, () => `token-${++tokens}`);
  const rack = makeRack([toyKind], limits);
  const box = new Toolbox(all, ['all'], rack, confirmations, (error) => bugs.push(error), elsewhere);
  const call = async (name: string, args: unknown = {}) => outcomeText(await box.call(name, args, caller));
  return { box, call, bugs };
}

describe('nothing invisible gets out', () => {
  const words = 'a\u200b\u202e\u{e0041}\x1b\x07\ud800\u2028\u3164\ufe0fb';
  const shown = 'a\\u{200B}\\u{202E}\\u{E0041}\\x1b\\x07\\u{D800}\\u{2028}\\u{3164}\\u{FE0F}b';

  test.each(['answer', 'error', 'ask'])('in an outcome that is: %s', async (how) => {
    const { box, call } = toolbox();
    await call('machine_start', { kind: 'toy' });
    const outcome = await box.call('echo', { words, how }, caller);
    expect(outcomeText(outcome)).toContain(shown);
    const whole = JSON.stringify({
      ...outcome,
      text: outcomeText(outcome),
      journal: box.rack.journal.entries.at(-1)?.answer,
    });
    expect(whole).not.toMatch(/\u200b|\u202e|\u{e0041}|\\u001b|\\u0007|\\ud800|\u2028/u);
  });

  test.each(['answer', 'error', 'ask'])('of another toolbox that was passed on, where it is: %s', async (how) => {
    const there = toolbox();
    await there.call('machine_start', { kind: 'toy' });
    const elsewhere: Elsewhere = {
      relay: ({ name }, raw, from) => there.box.call(name, raw, { ...from, isRelayed: true }),
      carryOut: () => undefined,
      machines: [],
      onChange: () => () => {},
    };
    const { box } = toolbox(true, {}, elsewhere);
    const outcome = await box.call('echo', { machine: 'toy-1', words, how }, caller);
    expect(outcomeText(outcome)).toContain(shown);
    expect(box.rack.journal.entries.at(-1)?.answer).toContain(shown);
    expect(JSON.stringify(outcome)).not.toMatch(/\u200b|\u202e|\u{e0041}|\\u001b|\\u0007|\\ud800|\u2028/u);
  });

  test('JSON stays JSON and says the same', async () => {
    const { call } = toolbox();
    await call('machine_start', { kind: 'toy' });
    const json = await call('echo', { words, how: 'answer', format: 'json' });
    expect(json).not.toMatch(/\u200b|\u202e|\u{e0041}|\u2028/u);
    expect(JSON.parse(json)).toMatchObject({ words });
  });
});

describe('what every call on a machine owes its caller', () => {
  test('the state comes first', async () => {
    const { call } = toolbox();
    await call('machine_start', { kind: 'toy' });
    expect(await call('peek', { address: 1 })).toBe('toy-1 PAUSED at $0000\n234 held=false');
  });

  test('format json gives one JSON text with the state in it', async () => {
    const { call } = toolbox();
    await call('machine_start', { kind: 'toy' });
    expect(JSON.parse(await call('peek', { address: 1, format: 'json' }))).toEqual({
      machine: 'toy-1',
      state: 'PAUSED',
      byte: 234,
    });
  });

  test('a running machine is held still for a read and only for that', async () => {
    const { call } = toolbox();
    await call('machine_start', { kind: 'toy', options: { running: true } });
    expect(await call('peek', { address: 1 })).toBe('toy-1 RUNNING\n234 held=true');
    expect(toys.at(-1)?.held).toBe(false);
  });

  test('what needs a still machine says which call makes it one', async () => {
    const { call } = toolbox();
    await call('machine_start', { kind: 'toy', options: { running: true } });
    expect(await call('poke', { address: 1, value: 1 })).toMatch(
      /stopped machine: toy-1 RUNNING\.\nFix: Call pause {"machine":"toy-1"}/,
    );
  });

  test('a missing capability names those there are', async () => {
    const { box, call } = toolbox();
    await call('machine_start', { kind: 'toy' });
    expect(await call('talk')).toMatch(/toy-1 is a toy machine and has no console\.\nFix: It has: control, memory\./);
    const outcome = await box.call('talk', {}, caller);
    expect(outcome.type === 'error' && outcome.error.toJSON()).toMatchObject({
      code: -32601,
      error_type: 'MISSING_CAPABILITY',
      missing: ['console'],
    });
    Object.assign(toys.at(-1) ?? {}, { builtIn: { kind: 'better', has: ['console'] } });
    expect(await call('talk')).toContain('Fix: The built-in machine has: machine_start {"kind":"better"}.');
    Object.assign(toys.at(-1) ?? {}, { remedies: { console: 'Plug one in.' } });
    expect(await call('talk')).toContain('Fix: Plug one in. The built-in machine has:');
  });

  test('wrong arguments are all named, with those that exist', async () => {
    const { call } = toolbox();
    await call('machine_start', { kind: 'toy' });
    const text = await call('peek', { address: 99, adress: 1 });
    expect(text).toMatch(/address: Too big/);
    expect(text).toMatch(/unknown argument adress/);
    expect(text).toMatch(/Arguments it takes: machine, address, format/);
  });

  test('a bug is logged and not shown', async () => {
    const { call, bugs } = toolbox();
    await call('machine_start', { kind: 'toy' });
    expect(await call('crash')).not.toMatch(/secret|TypeError/);
    expect(bugs).toEqual([expect.objectContaining({ message: 'secret internals' })]);
  });

  test('every call is in the journal as the agent saw it', async () => {
    const { box, call } = toolbox();
    await call('machine_start', { kind: 'toy', name: 'mine' });
    await call('peek', { machine: 'mine', address: 77 });
    expect(box.rack.journal.entries).toMatchObject([
      { seq: 1, tool: 'machine_start', isError: false },
      { seq: 2, tool: 'peek', machine: 'mine', isError: true, arguments: { machine: 'mine', address: 77 } },
    ]);
  });

  test('passwords are not kept, wherever they stand', async () => {
    const { box, call } = toolbox();
    await call('peek', { password: 'opensesame', calls: [{ arguments: { password: 'opensesame', user: 'ali' } }] });
    expect(JSON.stringify(box.rack.journal.entries)).toMatch(/^(?!.*opensesame).*"user":"ali"/);
  });
});

describe('confirmation', () => {
  test('a token fits the same call, once', async () => {
    const { call } = toolbox();
    await call('machine_start', { kind: 'toy' });
    expect(await call('poke', { address: 0, value: 7 })).toMatch(
      /NOT DONE YET: Really write.*\n.*"confirmation_token":"token-1"/,
    );
    expect(await call('poke', { address: 0, value: 8, confirmation_token: 'token-1' })).toMatch(/NOT DONE YET/);
    expect(await call('poke', { confirmation_token: 'token-1', value: 7, address: 0 })).toMatch(/written/);
    expect(await call('poke', { address: 0, value: 7, confirmation_token: 'token-1' })).toMatch(/NOT DONE YET/);
  });

  test('nobody is asked when all was agreed to beforehand, or for a call that needs none', async () => {
    const { call } = toolbox(false);
    await call('machine_start', { kind: 'toy' });
    expect(await call('poke', { address: 0, value: 7 })).toMatch(/written/);
    const asking = toolbox();
    await asking.call('machine_start', { kind: 'toy' });
    expect(await asking.call('poke', { address: 1, value: 7 })).toMatch(/written/);
  });
});

test('a name that checks pass over is refused, wherever it stands', async () => {
  const { box, call } = toolbox();
  for (const options of ['{"__proto__":{"size":1}}', '{"list":[{"__proto__":1}]}']) {
    const text = await call('machine_start', JSON.parse(`{"kind":"toy","options":${options}}`));
    expect(text).toMatch(/machine_start: unknown argument __proto__\./);
  }
  expect(box.rack.machines).toHaveLength(0);
});

describe('calls that last', () => {
  test('a second change waits for the first; machine_stop waits for none and ends both', async () => {
    const { call } = toolbox();
    await call('machine_start', { kind: 'toy' });
    const hanging = call('hang');
    const waiting = call('poke', { address: 1, value: 1 });
    await vi.waitFor(async () => expect(await call('machine_list')).toMatch(/busy with hang since/), 30_000);
    expect(await call('machine_stop', { machine: 'toy-1' })).toMatch(/toy-1 OFF/);
    expect(await hanging).toMatch(/told to stop/);
    expect(await waiting).toMatch(/busy with hang|No machine/);
  });

  test.each(['its reason', 'an abort'])(
    'a call that is cancelled and fails with %s is no error of ours',
    async (how) => {
      const { box, call, bugs } = toolbox();
      await call('machine_start', { kind: 'toy' });
      const abort = new AbortController();
      const hanging = box.call('hang', { fails_with: how, deaf: true }, { ...caller, signal: abort.signal });
      await vi.waitFor(async () => expect(await call('machine_list')).toMatch(/busy with hang since/), 30_000);
      abort.abort();
      expect(await hanging).toMatchObject({ type: 'error', error: { type: 'CANCELLED' } });
      expect(bugs).toEqual([]);
    },
  );

  test('a tool that hears nothing is given up', async () => {
    vi.useFakeTimers();
    const { call } = toolbox();
    await call('machine_start', { kind: 'toy' });
    const hanging = call('hang', { deaf: true });
    await vi.advanceTimersByTimeAsync(56_000);
    vi.useRealTimers();
    expect(await hanging).toMatch(/hang was given up after 55 s/);
  });
});

describe('batch', () => {
  test('checks all before it runs one', async () => {
    const { box, call } = toolbox();
    const text = await call('batch', {
      steps: [
        { tool: 'machine_start', arguments: { kind: 'toy' } },
        { tool: 'peek' },
        { tool: 'nonsense' },
        { tool: 'batch' },
      ],
    });
    expect(text).toMatch(/Nothing was run: Step 2: peek: address.*Step 3: No tool "nonsense".*Step 4: a batch/);
    expect(box.rack.machines).toHaveLength(0);
  });

  test('stops at the first failure and says what ran', async () => {
    const { call } = toolbox();
    const text = await call('batch', {
      steps: [
        { tool: 'machine_start', arguments: { kind: 'toy' } },
        { tool: 'talk' },
        { tool: 'peek', arguments: { address: 1 } },
      ],
    });
    expect(text).toMatch(
      /^ERROR A step failed\.\n1 machine_start: ok · .*\n2 talk: FAILED · .*\n3 peek: not run\nFix:/,
    );
  });

  test('answers a line a step and the last in full', async () => {
    const { call } = toolbox();
    const text = await call('batch', {
      steps: [
        { tool: 'machine_start', arguments: { kind: 'toy' } },
        { tool: 'peek', arguments: { address: 1 } },
      ],
    });
    expect(text).toMatch(/^1 machine_start: ok · toy-1 PAUSED.*\n2 peek: ok\ntoy-1 PAUSED at \$0000\n234/);
  });
});

test('machine_start names the lease, the capabilities and a wrong option', async () => {
  const { call } = toolbox(true, { idleTimeoutMs: 3_600_000 });
  expect(await call('machine_start', { kind: 'toy' })).toBe(
    'toy-1 PAUSED at $0000\nCan: control, memory. Stopped automatically after 1 h idle.\nMore for it with tool_find: search.',
  );
  expect(await call('machine_start', { kind: 'toy', options: { ruining: true } })).toMatch(
    /options of toy: unknown argument ruining\.\nFix: Arguments it takes: running/,
  );
  expect(await call('machine_start', { kind: 'tyo' })).toMatch(/No kind "tyo"\.\nFix: Kinds: toy/);
  expect(await call('machine_kinds', { kind: 'toy' })).toMatch(/running \(boolean, default false\): Start it running/);
});

test('only the toolsets asked for are there', () => {
  const names = (choice: ToolsetChoice[]) =>
    new Toolbox(all, choice, makeRack([]), new Confirmations(true, () => ''), () => {}).tools.map(({ name }) => name);
  expect(names(['debug'])).toEqual(['talk']);
  expect(names(['debug', 'search'])).toEqual(['talk', 'crash']);
  for (const open of ['auto', 'short'] as const) expect(names([open])).toHaveLength(all.length);
  expect(names(['all'])).toHaveLength(all.length);
});

test('a tool of a toolset that is off is named with it', async () => {
  const box = new Toolbox(all, ['machines'], makeRack([]), new Confirmations(true, () => ''), () => {});
  const outcome = await box.call('crash', {}, caller);
  expect(outcomeText(outcome)).toBe(
    'ERROR crash belongs to the toolset search, which is switched off.\nFix: Start the server without --toolset, or add search to it.',
  );
});

describe('a machine elsewhere', () => {
  function far() {
    const relayed: unknown[] = [];
    const elsewhere: Elsewhere = {
      machines: [],
      onChange: () => () => {},
      carryOut: () => undefined,
      relay: (tool, raw) => {
        if (Object(raw).machine !== 'far') return undefined;
        relayed.push([tool.name, raw]);
        return Promise.resolve({ type: 'answer', answer: { text: 'from f\u200bar' } });
      },
    };
    const confirmations = new Confirmations(true, () => '');
    const box = new Toolbox(all, ['all'], makeRack([toyKind]), confirmations, () => {}, elsewhere);
    const call = async (name: string, args: unknown, role: Caller['role'] = 'own') =>
      outcomeText(await box.call(name, args, { ...caller, role }));
    return { box, call, relayed };
  }

  test('gets the arguments as they came: its own host checks them', async () => {
    const { box, call, relayed } = far();
    const args = { machine: 'far', address: 'nowhere', more: 1 };
    expect(await call('peek', args)).toBe('from f\\u{200B}ar');
    expect(relayed).toEqual([['peek', args]]);
    expect(box.rack.journal.entries).toMatchObject([{ tool: 'peek', machine: 'far', answer: 'from f\\u{200B}ar' }]);
    expect(await call('peek', { ...args, machine: 'near' })).toMatch(/^ERROR peek: address: /);
  });

  test('is not asked where the caller may not, or for a tool of the rack', async () => {
    const { call, relayed } = far();
    expect(await call('poke', { machine: 'far', address: 1, value: 1 }, 'observe')).toMatch(/^ERROR .*observe/);
    expect(await call('machine_stop', { machine: 'far', more: 1 })).toMatch(/^ERROR machine_stop: /);
    expect(relayed).toEqual([]);
  });
});

test('who passes a call on keeps it: here it is kept where it is written to a file, and noted in any case', async () => {
  for (const isWritten of [false, true]) {
    const lines: string[] = [];
    const services = isWritten ? { journalSink: (line: string) => lines.push(line) } : {};
    const rack = makeRack([toyKind], {}, services);
    const noted = vi.spyOn(rack.audit, 'note');
    const box = new Toolbox(all, ['all'], rack, new Confirmations(true, () => ''), () => {});
    await rack.start('toy', {}, 'mine');
    await box.call('peek', { machine: 'mine', address: 1 }, { ...caller, isRelayed: true });
    const kept = isWritten ? ['peek'] : [];
    expect(rack.journal.entries.map(({ tool }) => tool)).toEqual(kept);
    expect(lines.map((line) => JSON.parse(line).tool)).toEqual(kept);
    expect(noted).toHaveBeenCalledOnce();
  }
});
