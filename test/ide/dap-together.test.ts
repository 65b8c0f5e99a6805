import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Sandbox } from '../support/sandbox.ts';
import { DapClient } from './dap-client.ts';
import { DebugDesk } from './debug-desk.ts';

const patience = 60_000;
let desk: DebugDesk;
let sandbox: Sandbox;
beforeAll(async () => {
  desk = await DebugDesk.open('--allow-debuggers', '--toolset', 'all');
  sandbox = await Sandbox.open();
});
afterAll(async () => {
  await desk[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
});
afterEach(() => desk.agent.call('machine_stop', { machine: 'mine' }));

const source = '* = $c000\nloop inc $0400\n jmp loop';

test(
  'an IDE and an agent on one machine see each other, their stops and their breakpoints',
  async () => {
    const port = await desk.start('c64', 'dap');
    await desk.agent.call('program_run', { machine: 'mine', source });
    const ide = DapClient.at(port);
    await ide.ask('initialize');
    await expect(ide.ask('launch', { kind: 'c64' })).rejects.toThrow('attach');
    await ide.ask('attach', {});
    await ide.event('initialized');
    await ide.ask('configurationDone');
    expect(await ide.event('stopped')).toMatchObject({ reason: 'entry' });
    expect((await desk.agent.call('machine_list')).text).toMatch(/dap \(127\.0\.0\.1:\d+\) attached/);

    const set = await desk.agent.call('breakpoint_set', { machine: 'mine', address: '$c003' });
    const [, id] = /breakpoint (\d+)/i.exec(set.text) ?? [];
    expect(await ide.event('breakpoint')).toMatchObject({
      reason: 'new',
      breakpoint: {
        verified: true,
        instructionReference: '0xc003',
        message: expect.stringContaining(`breakpoint ${id}`),
      },
    });
    await desk.agent.call('run', { machine: 'mine', detach: 'warp' });
    expect(await ide.event('stopped')).toMatchObject({
      reason: 'breakpoint',
      description: expect.stringContaining(`${id}`),
    });
    await desk.agent.call('breakpoint_delete', { machine: 'mine', id: Number(id) });
    expect(await ide.event('breakpoint')).toMatchObject({ reason: 'removed' });
    await desk.agent.call('step', { machine: 'mine' });
    expect(await ide.event('stopped')).toMatchObject({ reason: 'step' });

    await ide.ask('setInstructionBreakpoints', { breakpoints: [{ instructionReference: '0xc000' }] });
    expect((await desk.agent.call('breakpoint_list', { machine: 'mine' })).text).toContain('$C000');
    await ide.ask('continue', { threadId: 1 });
    expect(await ide.event('stopped')).toMatchObject({ reason: 'instruction breakpoint' });
    const { text } = await desk.agent.call('run', { machine: 'mine', timeout_ms: 1000 });
    expect(text).toContain('it had stopped before this call');
    await ide.ask('disconnect');
    await vi.waitFor(
      async () => expect((await desk.agent.call('machine_list')).text).not.toContain('attached'),
      60_000,
    );
    expect((await desk.agent.call('breakpoint_list', { machine: 'mine' })).text).toContain('No breakpoints.');
  },
  patience,
);

test(
  'an adapter on pipes leads to the machine of another server',
  async () => {
    const port = await desk.start('c64', 'dap');
    const child = sandbox.spawn(['dap']);
    const ide = DapClient.over(child.stdout, child.stdin);
    await ide.ask('initialize');
    await expect(ide.ask('attach', { machine: 'nobody' })).rejects.toThrow('No machine nobody');
    await ide.ask('attach', { port });
    await ide.event('initialized');
    await ide.ask('configurationDone');
    expect((await ide.ask('threads')).threads).toEqual([{ id: 1, name: 'mine' }]);
    await ide.ask('continue', { threadId: 1 });
    await vi.waitFor(
      async () => expect((await desk.agent.call('machine_list')).text).toContain('mine RUNNING'),
      60_000,
    );
    await ide.ask('pause', { threadId: 1 });
    await ide.ask('disconnect');
    await vi.waitFor(
      async () => expect((await desk.agent.call('machine_list')).text).not.toContain('attached'),
      60_000,
    );
    child.stdin.end();
  },
  patience,
);
