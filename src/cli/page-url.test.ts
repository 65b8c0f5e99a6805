import { expect, test } from 'vitest';
import { pageUrl, reachable } from './page-url.ts';

test.each([
  ['http://0.0.0.0:6510/mcp', 'http://127.0.0.1:6510/mcp'],
  ['https://[::]:6510/mcp', 'https://[::1]:6510/mcp'],
  ['http://127.0.0.1:6510/mcp', 'http://127.0.0.1:6510/mcp'],
  ['http://192.168.1.2:80/mcp', 'http://192.168.1.2/mcp'],
])('who listens at %s is reached at %s', (listens, reached) => expect(reachable(listens)).toBe(reached));

test('the token of the page is in the part of its address that stays in the browser', () => {
  expect(pageUrl('http://127.0.0.1:6510/mcp', 'a+b')).toBe('http://127.0.0.1:6510/#token=a%2Bb');
});
