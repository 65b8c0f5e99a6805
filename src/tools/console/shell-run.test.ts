import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlainPort, PtyPort } from '../../../test/support/socket-port.ts';
import { buildCommand } from './shell-command.ts';
import { readOutput, runCommand } from './shell-run.ts';
import { waitForOutput } from './wait-for-output.ts';

const timeoutMs = 15_000;

function installed(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const shells = [
  { name: 'bash', command: 'bash --norc --noprofile -i', term: 'xterm', program: 'bash' },
  { name: 'bash that scrolls its line sideways', command: 'bash --norc --noprofile -i', term: 'dumb', program: 'bash' },
  { name: 'dash', command: 'dash -i', term: 'vt100', program: 'dash' },
  { name: 'busybox ash', command: 'busybox ash -i', term: 'vt100', program: 'busybox' },
].filter(({ program }) => installed(program));

describe.for(shells)('$name', ({ command, term }) => {
  let port: PtyPort;
  beforeAll(async () => {
    port = await PtyPort.start(command, { TERM: term });
    await waitForOutput(port, { from: 0, patterns: [{ regex: '\\$ $' }], timeoutMs });
  });
  afterAll(() => port[Symbol.asyncDispose]());

  test.for([
    ['echo one; echo two; false', 'one\ntwo', 1],
    ['printf abc', 'abc', 0],
    ['(exit 7)', '', 7],
    ['no_such_command_here 2>/dev/null', '', 127],
    ['printf "10%%\\r50%%\\r100%%\\n"', '100%', 0],
    ['printf "%s|" \'it is 100% \\n\' "$((6*7))";', 'it is 100% \\n|42|', 0],
    ['echo x # a comment', 'x', 0],
    ['echo "a!b"', 'a!b', 0],
    ['for i in 1 2\ndo\n\techo "n $i"\ndone', 'n 1\nn 2', 0],
    ["cat <<'E'\nhere %s $HOME 'q'\\n\nE", "here %s $HOME 'q'\\n", 0],
    [`echo ${'word '.repeat(60)}end`, `${'word '.repeat(60)}end`, 0],
    ['echo grün €', 'grün €', 0],
    ['printf "title \\033]0;never ends"; false', 'title', 1],
    ['printf "picture \\033Pnever ends\\nat all"', 'picture', 0],
    ['printf "half a sequence \\033[1;"; false', 'half a sequence', 1],
    ['printf "half a letter \\303"', 'half a letter \\xc3', 0],
  ] as const)('%j', async ([line, output, exitCode]) => {
    expect(await runCommand(port, line, { timeoutMs })).toMatchObject({
      output,
      exitCode,
      started: true,
      timedOut: false,
      reason: 'match',
    });
  });

  test('runs in the shell itself', async () => {
    await runCommand(port, 'cd /; value=kept', { timeoutMs });
    expect(await runCommand(port, 'echo $PWD $value', { timeoutMs })).toMatchObject({ output: '/ kept' });
  });

  test('a job in the background', async () => {
    expect(await runCommand(port, 'sleep 0 &', { timeoutMs })).toMatchObject({ exitCode: 0 });
  });

  test('an open quote is an error of the command, not a shell that waits', async () => {
    const result = await runCommand(port, 'echo "open', { timeoutMs });
    expect(result.exitCode).toBeGreaterThan(0);
    expect(result.output).toMatch(/quot|EOF/);
  });

  test('set -x does not confuse', async () => {
    await runCommand(port, 'set -x', { timeoutMs });
    expect(await runCommand(port, 'true', { timeoutMs })).toMatchObject({ output: '+ true', exitCode: 0 });
    await runCommand(port, 'set +x', { timeoutMs });
  });

  test('the next reader begins on the line after', async () => {
    const { nextOffset } = await runCommand(port, 'echo hi', { timeoutMs });
    const next = await waitForOutput(port, { from: nextOffset, patterns: [{ regex: '\\$ $' }], timeoutMs });
    expect(next.text).toBe('$ ');
  });

  test('a command that goes on is left running, and its output is told', async () => {
    const result = await runCommand(port, 'echo begun; sleep 30', { timeoutMs: 800 });
    expect(result).toMatchObject({ output: 'begun', exitCode: undefined, timedOut: true, started: true });
    const from = port.output.end;
    await port.write(Uint8Array.of(3), { mode: 'retry' });
    await waitForOutput(port, { from, patterns: [{ regex: '\\$ $' }], timeoutMs });
  });

  test('a command ends with the shell that it was typed into', async () => {
    const inner = await runCommand(port, 'sh', { timeoutMs: 800 });
    expect(inner).toMatchObject({ exitCode: undefined, timedOut: true, started: true });
    const result = await runCommand(port, 'echo bye; exit 7', { timeoutMs });
    expect(result).toMatchObject({ exitCode: undefined, timedOut: false, over: { command: 'sh', exitCode: 7 } });
    expect(result.output).toContain('bye');
    expect(result.output).not.toContain('@@');
    expect(await runCommand(port, 'echo outer', { timeoutMs })).toMatchObject({ output: 'outer', exitCode: 0 });
  });

  test('a command that was typed while another ran is not taken for part of it', async () => {
    expect(await runCommand(port, 'sleep 1', { timeoutMs: 300 })).toMatchObject({ timedOut: true });
    const result = await runCommand(port, 'echo next; false', { timeoutMs });
    expect(result).toMatchObject({ exitCode: 1, output: 'next', reason: 'match' });
    expect(result.over).toBeUndefined();
  });

  test('a megabyte of output still ends', async () => {
    const result = await runCommand(port, 'seq 1 160000', { timeoutMs });
    expect(result.exitCode).toBe(0);
    expect(result.output).toMatch(/^1\n2\n/);
    expect(result.output).toMatch(/159999\n160000$/);
    expect(result.droppedChars).toBeGreaterThan(600_000);
  });
});

describe('the line that is typed', () => {
  test('holds no sentinel and no control character', () => {
    for (const command of ['ls', 'a\nb\tc', 'x # y', "it's\n'"]) {
      const line = buildCommand(command, 'abc123');
      expect(line).not.toContain('@@abc123');
      expect(line).toMatch(/^[ -~]+$/);
    }
    expect(buildCommand('ls', 'abc123')).toBe('echo "@@""abc123<@@"; ls; echo "@@""abc123:$?@@"');
  });

  test.for(['', ' \n ', 'a\x03b', 'a\x1b[A', `echo ${'x'.repeat(4000)}`])('%j is refused', (command) => {
    expect(() => buildCommand(command, 'abc123')).toThrow(expect.objectContaining({ type: 'INVALID_ARGUMENT' }));
  });
});

describe('what is read', () => {
  const typed = 'echo "@@""n0nce<@@"; ls; echo "@@""n0nce:$?@@"';

  test('the echo goes, wherever it was wrapped and whatever came between', () => {
    const echo = `$ ${typed.slice(0, 20)} \r${typed.slice(20)}\n[   12.345678] usb 1-1: new device\n`;
    expect(readOutput(`${echo}@@n0nce<@@\nfile\n@@n0nce:0@@\n`, 'n0nce')).toEqual({
      output: 'file',
      exitCode: 0,
      started: true,
    });
  });

  test('kernel messages within the output stay', () => {
    const text = `${typed}\n@@n0nce<@@\na\n[    1.000000] random: crng init done\nb\n@@n0nce:3@@\n`;
    expect(readOutput(text, 'n0nce')).toMatchObject({
      output: 'a\n[    1.000000] random: crng init done\nb',
      exitCode: 3,
    });
  });

  test('a sentinel that a kernel message cut in two is put together', () => {
    const text = `@@n0nce<@@\nfile\n@@n0\n[    1.000000] usb 1-1: x\n[    1.000001] usb 1-1: y\nnce:4@@\n$ `;
    const { output, exitCode } = readOutput(text, 'n0nce');
    expect(exitCode).toBe(4);
    expect(output).toContain('file');
    expect(output).toContain('usb 1-1: y');
  });

  test('no shell: nothing started', async () => {
    const port = new PlainPort();
    port.onWrite = (bytes) => {
      port.receive(bytes);
      return { written: bytes.length, queued: 0, refused: 0 };
    };
    const result = await runCommand(port, 'ls', { timeoutMs: 30, nonce: 'n0nce' });
    expect(result).toMatchObject({ started: false, timedOut: true, exitCode: undefined, output: typed });
  });

  test('a line that is not taken whole is an error', async () => {
    const port = new PlainPort();
    port.onWrite = (bytes) => ({ written: 3, queued: 0, refused: bytes.length - 3 });
    await expect(runCommand(port, 'ls', { timeoutMs: 30 })).rejects.toMatchObject({ type: 'WRITE_BUFFER_FULL' });
  });
});
