import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually, isAlive } from './serial/link-testing.ts';
import { TiedProcess } from './tied-process.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fp-tied-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const onLinux = test.runIf(process.platform === 'linux');

onLinux('a program has the name and arguments that it was given, and its end is told', async () => {
  const env = { PATH: process.env.PATH ?? '' };
  const args = ['-c', 'tr "\\0" "|" </proc/$$/cmdline >&2; exit 3', "it's", ''];
  const running = await TiedProcess.start({ program: 'sh', args, env, guard: () => () => {} });
  expect((await running.ended).text).toBe('ended with code 3');
  expect(running.complaints).toMatch(/^sh\|-c\|.*\|it's\|\|$/s);
});

onLinux('a program does not begin when whoever starts it dies before the kernel knows of the tie', async () => {
  const [asked, begun, go] = [join(folder, 'asked'), join(folder, 'begun'), join(folder, 'go')];
  // The real one, which takes its time.
  const slow = `#!/bin/sh\necho $$ >${asked}.new; mv ${asked}.new ${asked}\nuntil test -e ${go}; do sleep 0.05; done\n`;
  writeFileSync(join(folder, 'setpriv'), `${slow}PATH=\${PATH#*:} exec setpriv "$@"\n`);
  chmodSync(join(folder, 'setpriv'), 0o755);
  const code = `
    import { TiedProcess } from ${JSON.stringify(new URL('./tied-process.ts', import.meta.url).href)};
    const env = { PATH: ${JSON.stringify(`${folder}:${process.env.PATH}`)} };
    await TiedProcess.start({ program: 'touch', args: [${JSON.stringify(begun)}], env, guard: () => () => {} });
    setInterval(() => {}, 1000);
  `;
  const starter = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], { stdio: 'ignore' });
  await eventually(() => existsSync(asked) || starter.exitCode !== null);
  starter.kill('SIGKILL');
  await once(starter, 'exit');
  writeFileSync(go, '');
  const pid = Number(readFileSync(asked, 'utf8'));
  await eventually(() => !isAlive(pid));
  expect(existsSync(begun)).toBe(false);
});
