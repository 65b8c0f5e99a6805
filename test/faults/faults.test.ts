import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { CuttingProxy } from '../support/cutting-proxy.ts';
import { newIn, openOf } from '../support/descriptors.ts';
import { jumpClock, patience, Ward } from './ward.ts';

/**
 * What can go wrong around a server, while all its machines are in use. Elsewhere: failures that are injected into every
 * socket, timer, stream and child (test/security/injected-failures, test/console/injected-errors), a server that is
 * killed (test/console/faults, test/server/lifetime, test/qemu/client-dies), few descriptors from the start and for
 * connections (test/console/leftovers, test/security/http-sockets),
 * clients that never read (test/server/serencp-flood, test/console/faults), peers that vanish (test/console/vanished-peer),
 * a link that drops ten times in a gigabyte (test/soak).
 */
const rounds = Number(process.env.FAULT_ROUNDS ?? 1);
const limits = { timeout: 120_000 + rounds * 60_000 };

/** Again and again in the long form. */
async function repeat(work: (round: number) => Promise<void>): Promise<void> {
  for (let round = 1; round <= rounds; round++) await work(round);
}

describe('with machines of every kind in use', () => {
  let ward: Ward;
  let open: readonly string[];
  beforeAll(async () => {
    ward = await Ward.open({ kinds: ['c64', 'dos', 'qemu'] });
    // Screens are made by a thread that begins with the first and stays.
    await ward.ask('console_read', { machine: 'line', view: 'screen' });
    open = openOf(ward.pid);
    ward.keepBusy();
  }, 180_000);
  afterAll(() => ward[Symbol.asyncDispose](), 120_000);

  const qemu = { kind: 'qemu', name: 'qemu', options: { arch: 'x86_64', memory: 16 } };
  const cat = { kind: 'console', name: 'cat', options: { command: ['cat'] } };
  const renew = async (start: Record<string, unknown>) => {
    await ward.ask('machine_stop', { machine: start.name });
    await ward.ask('machine_start', start);
  };

  test('a QEMU that is killed: the machine says so, others go on, and another one starts', limits, async () => {
    await repeat(async (round) => {
      await ward.signal(/^\S*qemu-system/, 'SIGKILL');
      await expect.poll(() => ward.list(), patience).toMatch(/^qemu (OFF|ENDED|ERROR|CRASHED|STOPPED)/m);
      await ward.expectSound();
      await renew(qemu);
      await ward.expectConsoles(`after kill ${round}`);
    });
  });

  test('a QEMU that is stopped: calls to it are answered, others go on, and it can be ended', limits, async () => {
    await repeat(async (round) => {
      await ward.signal(/^\S*qemu-system/, 'SIGSTOP');
      const asked = ward.call('run', { machine: 'qemu', timeout_ms: 500 });
      await ward.expectConsoles(`while it sleeps ${round}`);
      expect((await asked).text.length).toBeGreaterThan(0);
      await ward.expectSound();
      await ward.ask('machine_stop', { machine: 'qemu' });
      await expect.poll(() => ward.processes(/^\S*qemu-system/), patience).toEqual([]);
      await ward.ask('machine_start', qemu);
    });
  });

  test('a program on a console, stopped and killed: answered, accounted for, gone with it', limits, async () => {
    await repeat(async (round) => {
      await ward.signal(/^cat $/, 'SIGSTOP');
      await ward.call('console_send', { machine: 'cat', text: 'x'.repeat(90_000), quiet_ms: 0, mode: 'nonblocking' });
      await ward.expectSound();
      await ward.ask('machine_stop', { machine: 'cat' });
      await expect.poll(() => ward.processes(/^cat $/), patience).toEqual([]);
      await ward.ask('machine_start', cat);
      await ward.expectConsoles(`program ${round}`);
      await ward.signal(/^cat $/, 'SIGKILL');
      await expect.poll(() => ward.list(), patience).toMatch(/^cat (?!LINK UP)/m);
      await renew(cat);
    });
    await ward.expectSound();
  });

  test.skipIf(process.getuid?.() !== 0)(
    'a full disk: who writes is told, nothing else stops, and what is missing is counted',
    limits,
    async () => {
      await using disk = SmallDisk.in(ward.sandbox.dir);
      await repeat(async (round) => {
        const recording = disk.path(`line-${round}.rec`);
        await ward.ask('console_record', { machine: 'line', action: 'start', path: recording });
        disk.fill();
        for (let block = 0; block < 10; block++) await ward.guest.print(`${'y'.repeat(60_000)}\r\n`);
        await expect.poll(() => ward.ask('events_read', { machine: 'line' }), patience).toMatch(/record/i);
        await ward.expectSound();
        disk.free();
        await ward.guest.print(`there is room again ${round}\r\n`);
        const isThere = () => readFileSync(recording, 'latin1').includes(`there is room again ${round}`);
        await expect.poll(isThere, patience).toBe(true);
        await ward.ask('console_record', { machine: 'line', action: 'stop' });
        expect(statSync(recording).size).toBe(accountedBytes(`${recording}.index.jsonl`));
        rmSync(recording);
        await ward.expectConsoles(`disk ${round}`);
      });
    },
  );

  test('a link that is cut again and again comes back, and each loss is counted', limits, async () => {
    await using proxy = await CuttingProxy.to(`http://127.0.0.1:${ward.guest.port}`);
    // A new one each round: one that is lost again and again waits longer each time, up to a minute.
    for (let round = 1; round <= rounds; round++) {
      const machine = `cut-${round}`;
      await ward.ask('machine_start', { kind: 'console', name: machine, options: { port: proxy.port } });
      await expect.poll(() => ward.list(), patience).toContain(`${machine} LINK UP`);
      for (let cut = 1; cut <= 3; cut++) {
        const mark = `line number ${cut} of a cut link`;
        const read = { machine, from: 'start', quiet_ms: 0, reader: `cut ${cut}` };
        const readMark = async () => {
          // The link is up when the proxy has it, which is before the guest does.
          await ward.guest.print(`${mark}\r\n`);
          return (await ward.call('console_read', read)).text;
        };
        await expect.poll(readMark, patience).toContain(mark);
        proxy.cut();
        await expect.poll(() => ward.list(), patience).toMatch(new RegExp(`${machine} LINK UP[\\s\\S]*lost ${cut}×`));
        await ward.expectSound();
      }
      await ward.ask('machine_stop', { machine });
    }
  });

  test('browsers that stop reading or die: the server keeps its memory', limits, async () => {
    await repeat(async () => {
      const pages = await Promise.all(Array.from({ length: 6 }, () => openPage(ward)));
      for (const [index, page] of pages.entries()) {
        page.send(JSON.stringify({ type: 'watch', machine: index % 2 === 0 ? 'c64' : 'line', console: 'line' }));
        page.send(JSON.stringify({ type: 'look', isLooking: true }));
        if (index < 3) Object(Reflect.get(page, '_socket')).pause();
      }
      for (let block = 0; block < 40; block++) await ward.guest.print(`${'z'.repeat(100_000)}\r\n`);
      await ward.expectSound();
      expect(residentMb(ward.pid)).toBeLessThan(900);
      for (const [index, page] of pages.entries()) {
        const socket = Object(Reflect.get(page, '_socket'));
        if (index % 2 === 0) socket.resetAndDestroy();
        else socket.destroy();
      }
    });
    await ward.expectSound();
  });

  test('in the end nothing is open that was not in the beginning', limits, async () => {
    await ward.endWork();
    await expect.poll(() => newIn(openOf(ward.pid), open), patience).toEqual([]);
    expect(ward.answered).toBeGreaterThan(20);
    await ward.expectSound();
  });
});

test('no descriptor left while a console floods: who needs one is told, all else goes on, and then there are enough', {
  ...limits,
}, async () => {
  await using ward = await Ward.open();
  await ward.ask('console_read', { machine: 'line', view: 'screen' });
  const open = openOf(ward.pid);
  await repeat(async (round) => {
    let isFlooding = true;
    const flood = (async () => {
      while (isFlooding) await ward.guest.print(`${'few '.repeat(20_000)}\r\n`);
    })();
    const limit = await ward.limitDescriptors(openOf(ward.pid).length + 12);
    const started: string[] = [];
    const start = async () => {
      const name = `few-${started.length}`;
      const answer = await ward.call('machine_start', { kind: 'console', name, options: { command: ['cat'] } });
      if (!answer.isError) started.push(name);
      return answer;
    };
    let refused = await start();
    while (!refused.isError && started.length < 20) refused = await start();
    expect(refused.text).toMatch(/too many files open[\s\S]*ulimit -n/);
    expect(await ward.ask('run', { machine: 'c64', frames: 2, timeout_ms: 5000 })).toContain('c64');
    await ward.expectSound();
    isFlooding = false;
    await flood;
    await ward.expectConsoles(`few descriptors ${round}`);
    await ward.limitDescriptors(limit);
    for (const machine of started) await ward.ask('machine_stop', { machine });
    await start();
    await ward.ask('machine_stop', { machine: `few-${started.length - 1}` });
    await ward.expectSound();
  });
  await expect.poll(() => newIn(openOf(ward.pid), open), patience).toEqual([]);
});

test('a small heap: a flood and large answers fit into it', limits, async () => {
  await using ward = await Ward.open({ nodeArgs: ['--max-old-space-size=96'] });
  ward.keepBusy();
  await repeat(async (round) => {
    for (let block = 0; block < 60; block++) await ward.guest.print(`${'flood '.repeat(100_000)}\r\n`);
    for (const view of ['text', 'hex', 'raw', 'screen']) {
      await ward.call('console_read', { machine: 'line', from: 'start', view, max_chars: 28_000, quiet_ms: 0 });
    }
    await ward.call('memory_read', { machine: 'dos', address: '0', length: 65_536 });
    for (let number = 0; number < 5; number++) await ward.call('snapshot_save', { machine: 'c64', name: `s${number}` });
    await ward.expectConsoles(`heap ${round}`);
    await ward.expectSound();
  });
});

test(
  'a clock that jumps two hours ahead and a day back: nothing is taken for idle, calls end in time',
  limits,
  async () => {
    await using ward = await Ward.open({ nodeArgs: ['--import', jumpClock], args: ['--idle-timeout', '60'] });
    ward.keepBusy();
    for (const jump of ['ahead', 'back']) {
      process.kill(ward.pid, 'SIGUSR2');
      await ward.expectConsoles(`clock ${jump}`);
      expect(await ward.ask('run', { machine: 'c64', frames: 2, timeout_ms: 5000 })).toContain('c64');
      expect(await ward.list()).toMatch(/^c64 [\s\S]*^dos |^dos [\s\S]*^c64 /m);
      await ward.expectSound();
    }
  },
);

/** What the index says is in the file; what it says is missing is in its place in the count of bytes. */
function accountedBytes(index: string): number {
  const entries = readFileSync(index, 'utf8')
    .trim()
    .split('\n')
    .map((line) => Object(JSON.parse(line)));
  let next: number | undefined;
  let written = 0;
  for (const { offset, bytes, missing } of entries) {
    if (typeof offset !== 'number') continue;
    if (next !== undefined) expect(offset).toBe(next);
    next = offset + (bytes ?? missing);
    written += bytes ?? 0;
  }
  return written;
}

async function openPage(ward: Ward): Promise<WebSocket> {
  const page = new WebSocket(new URL('/view', ward.server.url).href.replace('http', 'ws'), 'frontpanel', {
    headers: { authorization: `Bearer ${ward.server.token}` },
  });
  page.on('error', () => {});
  await once(page, 'open');
  return page;
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1024;
}

/** A disk of four megabytes, which only root can make. */
class SmallDisk implements AsyncDisposable {
  readonly #folder: string;

  static in(parent: string): SmallDisk {
    const folder = join(parent, 'small');
    mkdirSync(folder);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'small', folder]);
    if (mounted.status !== 0) throw new Error(`a small disk needs root: ${mounted.stderr}`);
    return new SmallDisk(folder);
  }

  private constructor(folder: string) {
    this.#folder = folder;
  }

  path(name: string): string {
    return join(this.#folder, name);
  }

  fill(): void {
    try {
      writeFileSync(this.path('ballast'), new Uint8Array(5_000_000));
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'ENOSPC') throw error;
    }
  }

  free(): void {
    rmSync(this.path('ballast'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (existsSync(this.#folder)) spawnSync('umount', ['-l', this.#folder]);
  }
}
