import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeRack } from '../../../test/make-rack.ts';
import type { Change, HostEvent } from '../../api/tool-host.ts';
import type { ControlAction, Viewer, Watch } from '../../api/watch.ts';
import { kinds } from '../../machines/index.ts';
import type { Rack } from '../../rack/rack.ts';
import { Confirmations } from '../../tools/confirmations.ts';
import { tools } from '../../tools/index.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { LocalToolHost } from '../local-tool-host.ts';

const agent = { client: 'test', role: 'own', signal: new AbortController().signal, progress() {} } as const;
const person = { client: 'Ann', role: 'own', person: 'ann' } as const;
const patience = { timeout: 20_000, interval: 20 };
const viewer: Viewer = {
  ...{ isReady: () => false, isLooking: () => false, picture() {}, sound() {}, terminal() {} },
  ...{ input() {}, typing() {}, trouble() {} },
};

describe.each(['real', 'stepped'])('a machine with the clock %s', (clock) => {
  let rack: Rack;
  let host: LocalToolHost;
  let watch: Watch | undefined;
  const changes: Change[] = [];
  const events: HostEvent[] = [];

  beforeEach(async () => {
    rack = makeRack(kinds);
    const failed = (error: unknown) => {
      throw error;
    };
    host = new LocalToolHost(new Toolbox(tools, ['all'], rack, new Confirmations(false, () => ''), failed));
    await rack.start('c64', { clock }, 'mine');
    host.onChange((change) => changes.push(change));
    host.onEvent((event) => events.push(event));
    watch = host.watch('mine', undefined, person, viewer);
  });

  afterEach(async () => {
    watch?.close();
    await rack.close();
  });

  const state = () => host.machines()[0]?.watched.state;
  /** Nothing else is announced any more. */
  const quiet = () =>
    vi.waitFor(async () => {
      changes.length = 0;
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(changes).toEqual([]);
    }, patience);
  const announces = async (action: ControlAction, after: string) => {
    await quiet();
    await watch?.act({ type: 'control', action });
    await vi.waitFor(() => expect(changes).toContainEqual({ machine: 'mine' }), patience);
    expect(state()).toBe(after);
  };

  test('tells everybody when a person lets it run, stops it or takes a step', async () => {
    if (clock === 'stepped') await announces('run', 'RUNNING');
    await announces('pause', 'PAUSED');
    await announces('step into', 'PAUSED');
    await announces('step back', 'PAUSED');
    await announces('run', 'RUNNING');
    await announces('reset', 'RUNNING');
  });

  test('makes an event of a breakpoint that it meets while a person lets it run', async () => {
    await watch?.act({ type: 'control', action: 'pause' });
    const point = { machine: 'mine', type: 'write', address: '$a0', length: 3 };
    expect(await host.call('breakpoint_set', point, agent)).toMatchObject({ type: 'answer' });
    await quiet();
    events.length = 0;
    await watch?.act({ type: 'control', action: 'run' });
    await vi.waitFor(() => expect(state()).toBe('BREAKPOINT'), patience);
    await vi.waitFor(() => expect(changes).toContainEqual({ machine: 'mine' }), patience);
    await vi.waitFor(() => expect(events.filter(({ type }) => type === 'stop')).toHaveLength(1), patience);
    await quiet();
    expect(events.filter(({ type }) => type === 'stop')).toHaveLength(1);
  });
});
