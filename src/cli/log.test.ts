import { expect, test } from 'vitest';
import { openLog } from './log.ts';

test('a message cannot forge a line, nor move the cursor of the person who reads it', () => {
  let written = '';
  const log = openLog('info', undefined, (line) => {
    written += line;
  });
  log('info', 'console-1 note: hello\n2030-01-01T00:00:00.000Z error forged\r\x1b[2J\u202e');
  log('debug', 'not asked for');
  expect(written.split('\n').slice(1)).toEqual(['  2030-01-01T00:00:00.000Z error forged\\x0d\\x1b[2J\\u{202E}', '']);
});
