import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { boundedWriter } from './bounded-writer.ts';

test('what nobody reads takes no more than a megabyte, and what was left out is counted when somebody does', () => {
  const stream = new PassThrough({ highWaterMark: 0 });
  const write = boundedWriter(stream);
  const line = `${'x'.repeat(999)}\n`;
  for (let count = 0; count < 3000; count++) write(line);
  expect(stream.writableLength).toBeLessThan(1.1 * 1024 * 1024);
  let text = '';
  stream.on('data', (chunk) => {
    text += chunk;
  });
  stream.resume();
  while (stream.read() !== null);
  write('read again\n');
  stream.read();
  const kept = text.split('\n').filter((each) => each.startsWith('x')).length;
  expect(text).toContain(`\n${3000 - kept} entries were left out here`);
  expect(text).toMatch(/read again\n$/);
});

test('one entry is counted as one', () => {
  let text = '';
  const stream = {
    writableLength: 2 * 1024 * 1024,
    write(line: string) {
      text += line;
      return true;
    },
  };
  const write = boundedWriter(stream);
  write('lost\n');
  stream.writableLength = 0;
  write('kept\n');
  expect(text).toBe('1 entry was left out here, because nobody read this\nkept\n');
});
