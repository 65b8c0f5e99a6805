import { afterEach, expect, test, vi } from 'vitest';
import { Effort } from './effort.ts';
import { statementsOf } from './statement.ts';

afterEach(() => vi.restoreAllMocks());

const statements = (source: string) => {
  const problems: string[] = [];
  const found = statementsOf(source, new Effort(), (line, error) => problems.push(`${line}: ${error}`));
  return {
    problems,
    words: found.map(({ line, word, tokens }) => [line, word, tokens.map(({ text }) => text).join('')]),
  };
};

test('a line that ends in a backslash goes on in the next', () => {
  const { words, problems } = statements('db 1, \\\n2, \\\r\n3\nnop\nhlt');
  expect(problems).toEqual([]);
  expect(words).toEqual([
    [1, 'db', '1,2,3'],
    [4, 'nop', ''],
    [5, 'hlt', ''],
  ]);
});

test.each([5_000, 50_000])('%i lines that go on are put together once', (count) => {
  const slice = vi.spyOn(String.prototype, 'slice');
  const { problems } = statements(`${'\\\n'.repeat(count)}nop`);
  const looked = slice.mock.contexts.reduce((sum: number, text) => sum + String(text).length, 0);
  slice.mockRestore();
  expect(problems).toEqual([]);
  expect(looked).toBeLessThan(10 * count);
});

test('a line that goes on is measured as a whole', () => {
  const { problems } = statements(`${'db 1 \\\n'.repeat(20_000)}nop\nfoo: nop`);
  expect(problems).toEqual(['1: SourceError: The line has more than 65536 characters.']);
});
