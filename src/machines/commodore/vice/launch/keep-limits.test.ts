import { expect, test, vi } from 'vitest';
import { keepLimits } from './keep-limits.ts';

test('a file that cannot be emptied is told once, and not after the end', async () => {
  vi.useFakeTimers();
  try {
    const told: string[] = [];
    const limited: string[] = [];
    const folder = {
      limit: async (path: string) => {
        limited.push(path);
        if (path === 'b') throw new Error('EIO: input/output error');
      },
    };
    const host = { report: ({ type, text }: { type: string; text: string }) => void told.push(`${type}: ${text}`) };
    const files = [
      { path: 'a', bytes: 1 },
      { path: 'b', bytes: 1 },
    ];
    const end = keepLimits(folder, files, host, 10);
    await vi.advanceTimersByTimeAsync(35);
    expect(limited).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
    expect(told).toEqual([expect.stringMatching(/^file_limit_failed: .*EIO/)]);
    end();
    await vi.advanceTimersByTimeAsync(50);
    expect(limited).toHaveLength(6);
  } finally {
    vi.useRealTimers();
  }
});
