import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ShellGuest } from '../support/shell-guest.ts';
import { Desk, outputOf } from './desk.ts';

describe('a shell on a pseudo terminal', () => {
  let desk: Desk;
  let shell: ShellGuest;
  beforeAll(async () => {
    desk = await Desk.open();
    shell = await ShellGuest.start(desk.sandbox);
    await desk.start({ socket: shell.path });
    await desk.read({ expect: 'guest$' });
  });
  afterAll(async () => {
    await desk[Symbol.asyncDispose]();
    await shell[Symbol.asyncDispose]();
  });

  test.each([
    ['echo hello', 0, 'hello'],
    ['false', 1, ''],
    ['exit_with() { return 42; }; exit_with', 42, ''],
    ['no-such-command', 127, /not found/],
    ['sh -c "kill -9 \\$\\$"', 137, /.*/],
    ['for i in 1 2 3; do echo "line $i"; done', 0, 'line 1\nline 2\nline 3'],
    ['echo one\necho two # a comment\nfalse', 1, 'one\ntwo'],
    ["printf 'no end of line'", 0, 'no end of line'],
    ["echo 'quo\"ted' \"it's\" \\$HOME '!bang'", 0, 'quo"ted it\'s $HOME !bang'],
    ['printf "\\033[31mred\\033[0m\\n"', 0, 'red'],
    ['echo "open quote', 2, /.*/],
    ['echo č🙂', 0, 'č🙂'],
    ['sleep 0 &', 0, /.*/],
  ])('run %j: exit code %i', async (run, code, output) => {
    const answer = await desk.send({ run });
    expect(answer).toMatch(new RegExp(`^console-1 LINK UP .*\\nexit code ${code} after`));
    if (typeof output === 'string') expect(outputOf(answer)).toBe(output);
    else expect(outputOf(answer)).toMatch(output);
  });

  test('the output of a command is complete and nothing but its output', async () => {
    const { output, exit_code } = await desk.json('console_send', { run: 'seq 1 2000', max_chars: 20_000 });
    expect(exit_code).toBe(0);
    expect(String(output).split('\n')).toEqual(Array.from({ length: 2000 }, (_, index) => `${index + 1}`));
  });

  test('a command that does not end in time is an answer; ctrl-c ends it', async () => {
    const answer = await desk.send({ run: 'echo begun; sleep 600', timeout_ms: 700 });
    expect(answer).toMatch(/no end within .* it may still run/);
    expect(outputOf(answer)).toBe('begun');
    expect(await desk.send({ keys: ['ctrl-c'], expect: 'guest$' })).toContain('matched');
    expect(await desk.send({ run: 'echo back' })).toContain('exit code 0');
  });

  test('where no shell listens the answer says so', async () => {
    await desk.send({ text: 'cat > /dev/null', quiet_ms: 100 });
    const answer = await desk.send({ run: 'echo hello', timeout_ms: 500 });
    expect(answer).toMatch(/the shell did not take the line .* is there a shell at its prompt/);
    await desk.send({ keys: ['ctrl-c'], expect: 'guest$' });
  });

  test('vi on the screen: text is typed, seen, and saved', async () => {
    await desk.send({ run: 'stty rows 24 cols 80' });
    await desk.send({ text: 'vi letter.txt', quiet_ms: 300 });
    const empty = outputOf(await desk.read({ view: 'screen', quiet_ms: 300 })).split('\n');
    expect(empty.slice(1, 23)).toEqual(Array.from({ length: 22 }, () => '~'));
    expect(empty[23]).toContain('letter.txt');
    await desk.send({ text: 'iDear guest,\rsecond line', eol: 'none', keys: ['esc'], quiet_ms: 300 });
    await desk.send({ keys: ['up', '0', 'd', 'w'], quiet_ms: 300 });
    const screen = await desk.read({ view: 'screen', quiet_ms: 300 });
    expect(screen).toMatch(/screen 80x24, cursor at column 0, row 0/);
    expect(outputOf(screen)).toMatch(/^guest,\nsecond line\n~\n/);
    await desk.send({ text: ':wq', expect: 'guest$' });
    expect(readFileSync(join(desk.sandbox.dir, 'letter.txt'), 'utf8')).toBe('guest,\nsecond line\n');
  });

  test('top on the screen, in a size of its own', async () => {
    expect(await desk.ask('console_setup', { columns: 100, rows: 12 })).toContain('the screen is 100x12');
    await desk.send({ run: 'stty rows 12 cols 100' });
    await desk.send({ text: 'top -d 1', expect: '/PID +PPID/' });
    // It clears the screen and writes it anew; the heading is the last of what is looked for.
    const screen = await desk.read({ view: 'screen', expect: '/PID +PPID/', from: 'now' });
    expect(screen).toContain('screen 100x12');
    const lines = outputOf(screen).split('\n');
    expect(lines[0]).toMatch(/^Mem: /);
    expect(lines.length).toBeLessThanOrEqual(12);
    expect(lines.some((line) => /^ *PID +PPID/.test(line))).toBe(true);
    await desk.send({ text: 'q', eol: 'none', expect: 'guest$' });
  });
});

test.each(['bash --norc', 'dash'])('run works in %s too', async (command) => {
  await using desk = await Desk.open();
  await using shell = await ShellGuest.start(desk.sandbox, command);
  await desk.start({ socket: shell.path });
  await desk.send({ text: '', expect: 'guest$' });
  const answer = await desk.send({ run: 'echo "in $0"\nexit_code() { return 3; }\nexit_code' });
  expect(answer).toContain('exit code 3');
  expect(outputOf(answer)).toContain('in ');
  expect(await desk.send({ run: 'echo !! "#!" ' })).toContain('exit code 0');
});
