import { describe, expect, test } from 'vitest';
import { fitJson } from './fit-json.ts';

describe('fitJson', () => {
  test('leaves alone what fits', () => {
    expect(fitJson({ output: 'short', list: [1] }, 100)).toBe('{"output":"short","list":[1]}');
  });

  test.each([
    ['a text of characters that need escapes', { output: '"\\\n'.repeat(50_000), next: 7 }],
    ['a list', { lines: Array.from({ length: 200 }, () => '"'.repeat(500)), next: 7 }],
    ['both', { output: 'x'.repeat(50_000), lines: Array.from({ length: 9000 }, (_, index) => index), next: 7 }],
  ])('shortens %s and says so', (_, data) => {
    const json = fitJson(data, 30_000);
    expect(json.length).toBeLessThanOrEqual(30_000);
    expect(JSON.parse(json)).toMatchObject({ next: 7, shortened: expect.arrayContaining([]) });
    expect(json.length).toBeGreaterThan(10_000);
  });

  test('gives up on what it cannot shorten, in JSON', () => {
    const deep = { machine: 'a', state: 'OFF', inner: { text: 'x'.repeat(1000) } };
    expect(JSON.parse(fitJson(deep, 300))).toEqual({ machine: 'a', state: 'OFF', left_out_chars: expect.any(Number) });
  });
});
