import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
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
