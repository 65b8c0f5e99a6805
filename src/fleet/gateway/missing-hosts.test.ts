import { expect, test, vi } from 'vitest';
import type { KnownHost } from './fleet-view.ts';
import { NobodyThere } from './inbox.ts';
import { MissingHosts } from './missing-hosts.ts';

test('a host that is gone is asked for once, and forgotten when it has long been silent', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  try {
    let host = { host: 'lab1', heardAt: performance.now() } as KnownHost;
    let asked = 0;
    const forgotten: string[] = [];
    const request = () => {
      asked++;
      host = { ...host, isMissing: true };
      return Promise.reject(new NobodyThere('nobody is there'));
    };
    const view = {
      isConnected: true,
      get hosts() {
        return [host];
      },
      missing: () => {},
      forgetEmpty: (name: string) => void forgotten.push(name),
    };
    const missing = new MissingHosts({ request }, view);
    await vi.advanceTimersByTimeAsync(500_000);
    expect([asked, forgotten]).toEqual([1, []]);
    await vi.advanceTimersByTimeAsync(101_000);
    expect(forgotten).toContain('lab1');
    host = { host: 'lab1', heardAt: performance.now() } as KnownHost;
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toBe(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toBe(2);
    missing.close();
  } finally {
    vi.useRealTimers();
  }
});
