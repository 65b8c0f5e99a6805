import { expect } from 'vitest';
import { code } from '../understanding/dos-desk.ts';
import type { PlayedProgram } from './played-program.ts';

/** Opens a file three times, then waits for a key outside of DOS. */
const opensThrice = code(['100', 'b90300 ba2001 b8003d cd21 e2f9 b400 cd16 c3'], ['120', '4100']);
const waitingKey = /files opened: +(\d+)/;

/** What the program of `xms.asm` sorts. */
function randomNumbers(): readonly number[] {
  let seed = 1;
  const numbers = Array.from({ length: 4 * 4096 }, () => {
    seed = (seed * 25173 + 13849) & 0xffff;
    return seed;
  });
  return numbers.sort((a, b) => a - b);
}

function primesBelow(limit: number): readonly number[] {
  const struck = new Uint8Array(limit);
  const primes: number[] = [];
  for (let number = 2; number < limit; number++) {
    if (struck[number]) continue;
    primes.push(number);
    for (let multiple = number * 2; multiple < limit; multiple += number) struck[multiple] = 1;
  }
  return primes;
}

export const systemPrograms: readonly PlayedProgram[] = [
  {
    name: 'popup',
    files: { 'OPENS.COM': opensThrice, A: '' },
    async play(stage) {
      await stage.enter('popup', 'resident');
      await stage.enter('popup', 'already there');
      await stage.ended();
      const shown = await stage.screen();
      const openedSoFar = async () => Number(waitingKey.exec(await stage.screen())?.[1]);
      // At the prompt, where DOS waits for a line: by INT 28h.
      await stage.press('alt+f10');
      await stage.see('files opened:');
      const before = await openedSoFar();
      expect((await stage.rows())[10]).toMatch(/╔═{28}╗$/);
      expect(await stage.attribute(26, 11)).toBe(0x4e);
      await stage.press('space');
      expect(await stage.screen()).toBe(shown);
      // In a program that waits for a key: by the timer.
      await stage.type('opens\n');
      await stage.press('alt+f10');
      await stage.see('files opened:');
      expect(await openedSoFar()).toBe(before + 3);
      await stage.press('space', 'space');
      await stage.ended();
      await stage.enter('popup /u', 'removed');
      await stage.ended();
      await stage.press('alt+f10');
      expect(await stage.screen()).not.toContain('files opened');
      expect(await stage.call('chip_read', { chip: 'dos', part: 'memory' })).not.toContain('POPUP');
    },
  },
  {
    name: 'pipe',
    async play(stage) {
      await stage.enter('pipe', 'exit code 3');
      await stage.ended();
      expect(await stage.screen()).toContain('>pipe\nONE LINE\nAND ANOTHER\nAND THE LAST\nexit code 3\n');
      expect(stage.has('PIPE.TMP')).toBe(false);
      await stage.enter('pipe > out.txt', '/out\\.txt\\s+C:\\\\>\\s*$/');
      expect(stage.file('OUT.TXT')).toBe('ONE LINE\r\nAND ANOTHER\r\nAND THE LAST\r\nexit code 3\r\n');
    },
  },
  {
    name: 'files',
    files: { 'A1.TXT': '12345', 'A2.TXT': 'x'.repeat(1000), 'AB.DAT': 'no', 'B.DAT': 'b' },
    async play(stage) {
      await stage.enter('files', 'the call gives');
      await stage.ended();
      const lines = (await stage.screen()).split('\n');
      expect(lines.slice(lines.indexOf('C:\\>files') + 1, -1).filter(Boolean)).toEqual([
        'A1.TXT 5',
        'A2.TXT 1000',
        'bytes: 1005',
        'read-only files stay',
        'now in \\OLD',
        '1991',
        // Drive not ready; 83 is a call that was failed by a handler.
        'critical error 2 on drive A, the call gives 83',
      ]);
      expect([stage.has('A1.TXT'), stage.has('B.DAT'), stage.file('OLD/A1.BAK')]).toEqual([false, false, '12345']);
      await stage.enter('dir old', 'A1');
      expect(await stage.screen()).toMatch(/A1 +BAK +5 +08-26-91 +1:37p/);
    },
  },
  {
    name: 'terminal',
    async play(stage) {
      await stage.enter('terminal', 'COM1 at 9600 baud');
      const [port] = stage.machine.console.ports;
      await stage.type('ATDT 555\n');
      await expect.poll(() => Buffer.from(port?.output.read(0, 100).bytes ?? []).toString()).toBe('ATDT 555\r');
      await stage.call('console_send', { text: 'CONNECT 9600', eol: 'crlf' });
      await stage.see('CONNECT 9600');
      // More at once than a UART of its time holds.
      await stage.call('console_send', { text: 'Welcome to the board. '.repeat(3), eol: 'crlf' });
      await stage.see('/(Welcome to the board. ){3}/');
      await stage.press('esc');
      await stage.ended();
      expect(stage.exitCode).toBe(14 + 66 + 2);
    },
  },
  {
    name: 'ems',
    async play(stage) {
      const primes = primesBelow(100_000);
      expect(primes.length).toBe(9592);
      await stage.enter('ems', `${primes.length} primes, the last is ${primes.at(-1)}`);
      await stage.ended();
      expect(stage.exitCode).toBe(0);
    },
  },
  {
    name: 'xms',
    async play(stage) {
      const numbers = randomNumbers();
      await stage.enter('xms', `${numbers[0]} ${numbers[8191]} ${numbers.at(-1)}`);
      await stage.ended();
      expect(stage.exitCode).toBe(0);
    },
  },
];
