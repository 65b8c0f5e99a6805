import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'fp-gym-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['SIGTERM', (child) => child.kill('SIGTERM')],
  ['SIGINT', (child) => child.kill('SIGINT')],
  ['the end of its input', (child) => child.stdin?.end()],
] as const satisfies readonly [string, (child: ReturnType<typeof spawn>) => unknown][])(
  'frontpanel gym ends at %s',
  async (_, end) => {
    const socket = join(folder, 'gym');
    const child = spawn(process.execPath, ['dist/cli.js', 'gym', socket], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.stdin.write('something');
    end(child);
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(existsSync(socket)).toBe(false);
  },
);

test('a thread whose environments could not be opened does not keep the program alive', async () => {
  const socket = join(folder, 'gym');
  const child = spawn(process.execPath, ['dist/cli.js', 'gym', socket], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const client = connect(socket);
  const options = JSON.stringify({ kind: 'c64', options: { boot: false }, threads: 1, reward: '[$02' });
  client.write(new Uint8Array(Uint32Array.of(options.length, 1).buffer));
  client.write(options);
  const [answer] = (await once(client, 'data')) as [Buffer];
  expect(answer.readUInt32LE(4)).toBe(255);
  child.stdin.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
  client.destroy();
});
