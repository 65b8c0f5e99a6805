import { expect, test, vi } from 'vitest';
import { RawStdio } from '../support/raw-stdio.ts';
import { isAlive, Sandbox } from '../support/sandbox.ts';
import { LoopWatch } from './loop-watch.ts';
import { longCondition } from './worst/bench.ts';

vi.setConfig({ testTimeout: 120_000 });

const nestedRepeats = '.repeat 60000\n.repeat 60000\n.repeat 60000\n.endrepeat\n.endrepeat\n.endrepeat';

/** Calls that take as long as they are let, and what they need. */
const endless = [
  ['an assembler without end', { kind: 'c64', options: { boot: false } }, 'program_run', { source: nestedRepeats }],
  ['a run', { kind: 'c64', options: { boot: false } }, 'run', { condition: longCondition, timeout_ms: 50_000 }],
  [
    'a DOS guest',
    { kind: 'dos', options: { program: 'ports.com', run_to_prompt: false } },
    'run',
    { timeout_ms: 50_000 },
  ],
] as const;

async function start(sandbox: Sandbox): Promise<RawStdio> {
  const raw = new RawStdio(sandbox, ['--toolset', 'all', '--allow-path', sandbox.dir]);
  await raw.initialize();
  return raw;
}

test.for(endless)(
  '%s: pings are answered on the same line, and the end of it ends the server',
  async ([, machine, tool, input]) => {
    await using sandbox = await Sandbox.open();
    const { writeFileSync } = await import('node:fs');
    writeFileSync(
      `${sandbox.dir}/ports.com`,
      Uint8Array.of(0xba, 0xc9, 3, 0xb9, 0xff, 0xff, 0xbe, 0, 0, 0xf3, 0x6e, 0xeb, 0xf3),
    );
    const raw = await start(sandbox);
    expect(await raw.call('machine_start', machine)).toContain('PAUSED');
    const ping = () => raw.request('ping');
    const { pid = 0 } = raw.child;
    raw.sendLine(
      JSON.stringify({ jsonrpc: '2.0', id: 'endless', method: 'tools/call', params: { name: tool, arguments: input } }),
    );
    const watch = new LoopWatch(pid, ping, ping);
    await vi.waitFor(() => expect(watch.pings).toBeGreaterThan(20), { timeout: 60_000, interval: 100 });
    const { longestBlockMs } = await watch.end();
    expect(longestBlockMs).toBeLessThan(100);
    raw.child.stdin.end();
    await raw.ended;
    expect(isAlive(pid)).toBe(false);
  },
);
