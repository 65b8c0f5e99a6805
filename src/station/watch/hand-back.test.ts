import { expect, test } from 'vitest';
import { makeRack } from '../../../test/make-rack.ts';
import { kinds } from '../../machines/index.ts';
import { Confirmations } from '../../tools/confirmations.ts';
import { tools } from '../../tools/index.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { LocalToolHost } from '../local-tool-host.ts';

const agent = { client: 'test', role: 'own', signal: new AbortController().signal, progress() {} } as const;
const person = { client: 'Ann', role: 'own', person: 'ann' } as const;
const viewer = {
  ...{ isReady: () => false, isLooking: () => false, picture() {}, sound() {}, terminal() {} },
  ...{ input() {}, typing() {}, trouble() {} },
};

test('a machine is handed back when it has seen all that the person typed', async () => {
  const rack = makeRack(kinds);
  const failed = (error: unknown) => {
    throw error;
  };
  const host = new LocalToolHost(new Toolbox(tools, ['all'], rack, new Confirmations(false, () => ''), failed));
  try {
    await rack.start('c64', { clock: 'real' }, 'mine');
    await host.call('run', { machine: 'mine', screen_text: 'READY.', timeout_ms: 20_000 }, agent);
    await host.call('run', { machine: 'mine', detach: 'real' }, agent);
    const watch = host.watch('mine', undefined, person, viewer);
    await host.take('mine', person);
    for (const key of 'hello') {
      void watch?.act({ type: 'keys', keys: [key] });
      void watch?.act({ type: 'keys', keys: [] });
    }
    await host.handBack('mine', person, '');
    await host.call('input_send', { machine: 'mine', text: '123' }, agent);
    const seen = await host.call('run', { machine: 'mine', screen_text: 'HELLO123', timeout_ms: 20_000 }, agent);
    expect(JSON.stringify(seen)).toContain('is on screen');
    watch?.close();
  } finally {
    await rack.close();
  }
}, 90_000);
