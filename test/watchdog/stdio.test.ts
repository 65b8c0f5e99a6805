import { writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { isAlive } from '../../src/host/process-identity.ts';
import { RawStdio } from '../support/raw-stdio.ts';
import { Sandbox } from '../support/sandbox.ts';
import { LoopWatch } from './loop-watch.ts';
import { longestBlockMs } from './watch-benches.ts';
import { WatchedProgram } from './watched-program.ts';
import { longCondition } from './worst/bench.ts';

vi.setConfig({ testTimeout: 180_000 });

const nestedRepeats = '.repeat 60000\n.repeat 60000\n.repeat 60000\n.endrepeat\n.endrepeat\n.endrepeat';

const mostBytes = 9_900_000;
const filled = (piece: (index: number) => string, pieceBytes: number) =>
  Array.from({ length: Math.floor(mostBytes / pieceBytes) }, (_, index) => piece(index)).join();

/** The largest messages there can be, of what takes longest to read. */
const crowded = [
  ['names', `{${filled((index) => `"${String(index).padStart(7, '0')}":1`, 12)}}`],
  ['lists', `[${filled(() => '[]', 3)}]`],
  ['lists in lists', `${'['.repeat(mostBytes / 2)}${']'.repeat(mostBytes / 2)}`],
  ['numbers', `[${filled(() => '1', 2)}]`],
] as const;

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

test.for(endless)(
  '%s: pings are answered on the same line, and the end of it ends the server',
  // A processor shared with strangers makes a turn long once.
  { retry: 2 },
  async ([, machine, tool, input]) => {
    await using sandbox = await Sandbox.open();
    writeFileSync(
      `${sandbox.dir}/ports.com`,
      Uint8Array.of(0xba, 0xc9, 3, 0xb9, 0xff, 0xff, 0xbe, 0, 0, 0xf3, 0x6e, 0xeb, 0xf3),
    );
    const program = new WatchedProgram(sandbox, ['--toolset', 'all', '--allow-path', sandbox.dir]);
    const raw = new RawStdio(program.child);
    await raw.initialize();
    expect(await raw.call('machine_start', machine)).toContain('PAUSED');
    raw.sendLine(
      JSON.stringify({ jsonrpc: '2.0', id: 'endless', method: 'tools/call', params: { name: tool, arguments: input } }),
    );
    const watch = new LoopWatch(program, () => raw.request('ping'));
    await vi.waitFor(() => expect(watch.pings).toBeGreaterThan(20), { timeout: 60_000, interval: 100 });
    const watched = await watch.end();
    expect(watched.longestBlockMs).toBeLessThan(longestBlockMs);
    raw.child.stdin.end();
    await raw.ended;
    expect(isAlive(program.pid)).toBe(false);
  },
);

test.for(crowded)('a message of ten megabytes of %s is refused and holds nobody up', { retry: 2 }, async ([, args]) => {
  await using sandbox = await Sandbox.open();
  const program = new WatchedProgram(sandbox, []);
  const raw = new RawStdio(program.child);
  await raw.initialize();
  const watch = new LoopWatch(program, () => raw.request('ping'));
  raw.sendLine(
    `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"machine_list","arguments":${args}},"id":"crowded"}`,
  );
  const answer = await raw.message(({ id }) => id === 'crowded');
  const { longestBlockMs: blockMs, residentMb } = await watch.end();
  expect(answer.error).toMatchObject({ code: -32600, message: expect.stringContaining('a message must not') });
  expect(blockMs).toBeLessThan(longestBlockMs);
  expect(residentMb).toBeLessThan(400);
});
