import { afterEach, expect, test, vi } from 'vitest';
import type { Actor } from '../api/roles.ts';
import type { Deed } from '../api/tool-host.ts';
import { Audit } from './audit.ts';

afterEach(() => void vi.useRealTimers());

function noted(...deeds: readonly [Partial<Actor>, Deed][]): Record<string, unknown>[] {
  const lines: string[] = [];
  const audit = new Audit((line) => lines.push(line));
  for (const [actor, deed] of deeds) audit.note(actor, deed);
  for (const line of lines) expect(line.length).toBeLessThan(1600);
  return lines.map((line) => JSON.parse(line));
}

const own = { role: 'own' } as const;

test('whatever a caller writes is one short line of what can be seen', () => {
  const forged = 'x\n{"client":"operator","tool":"machine_stop"}\r\n\x1b[2J\u202e\u2028\u0085\t\0';
  for (const bad of [forged, forged.repeat(10_000), '\u{e0041}'.repeat(1000), '\ud800'.repeat(400)]) {
    const [line = {}] = noted([
      { ...own, client: bad, agent: bad, address: bad },
      { tool: bad, machine: bad, resource: bad, outcome: 'failed', why: bad },
    ]);
    for (const key of ['client', 'agent', 'address', 'tool', 'machine', 'resource', 'why']) {
      const value = String(line[key]);
      expect(value, key).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      expect(value.length, key).toBeLessThanOrEqual(key === 'resource' || key === 'why' ? 300 : 100);
    }
    expect(line).toMatchObject({ role: 'own', outcome: 'failed' });
  }
});

test('what is told stays as it was', () => {
  const deed = { tool: 'run', machine: 'c64-1', outcome: 'done', durationMs: 3 } as const;
  const [line = {}] = noted([{ ...own, client: 'alice', agent: 'Zoë’s IDE', address: '::1' }, deed]);
  const { time: _, ...said } = line;
  expect(said).toEqual({ role: 'own', client: 'alice', agent: 'Zoë’s IDE', address: '::1', ...deed });
});

test('who is not let in is noted once a minute, with how often; who is let in each time', () => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  const lines: string[] = [];
  const audit = new Audit((line) => lines.push(line));
  const whys = () => lines.splice(0).map((line) => JSON.parse(line).why);
  const refused = (machine: string) =>
    audit.note({ client: 'gdb' }, { tool: 'gdb', machine, outcome: 'denied', why: 'a connection of a guest' });
  for (let tries = 0; tries < 5000; tries++) refused('vm');
  refused('other');
  expect(whys()).toEqual(['a connection of a guest', 'a connection of a guest']);
  vi.advanceTimersByTime(60_000);
  refused('vm');
  expect(whys()).toEqual(['5000 times a connection of a guest']);
  const denied = { tool: 'machine_stop', outcome: 'denied', why: 'DENIED: needs the role' } as const;
  for (let calls = 0; calls < 3; calls++) audit.note({ client: 'bob', role: 'observe' }, denied);
  expect(whys()).toHaveLength(3);
  for (let place = 0; place < 20_000; place++) audit.note({ address: `10.0.${place}` }, { ...denied, tool: 'http' });
  expect(lines.length).toBeLessThanOrEqual(1001);
});
