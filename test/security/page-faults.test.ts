import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { defineKind } from '../../src/machine/kind.ts';
import type { Machine } from '../../src/machine/machine.ts';
import type { PageEvent } from '../../src/view/channel.ts';
import { makeRack } from '../make-rack.ts';
import { Toy } from '../toy-kind.ts';
import { type InProcess, serveInProcess } from './serve-in-process.ts';

const patience = { timeout: 60_000, interval: 20 };

/** A machine of which everything that the page asks for fails once `isBroken`. */
class Broken extends Toy {
  isBroken = false;
  asked = new Set<string>();

  #fail(what: string): void {
    if (!this.isBroken) return;
    this.asked.add(what);
    throw new Error(`no ${what} today`);
  }

  override status() {
    this.#fail('status');
    return super.status();
  }

  get joystick(): NonNullable<Machine['joystick']> {
    this.#fail('joystick');
    return { ports: [1], set: async () => {} };
  }

  readonly audio = {
    ...({} as NonNullable<Machine['audio']>),
    listen: () => {
      this.#fail('sound');
      return { sampleRate: 8000, take: () => new Int16Array(0), close: () => {} };
    },
  };

  readonly screen = {
    ...({} as NonNullable<Machine['screen']>),
    picture: async () => {
      this.#fail('picture');
      return { width: 1, height: 1, rgb: new Uint8Array(3) };
    },
  };
}

let machine: Broken;
let served: InProcess;
let page: WebSocket;
let events: PageEvent[];

beforeEach(async () => {
  const kind = defineKind({
    kind: 'broken',
    summary: 'Fails.',
    options: z.strictObject({}),
    async start() {
      machine = new Broken();
      return machine;
    },
  });
  const rack = makeRack([kind]);
  await rack.start('broken', {}, 'it');
  served = await serveInProcess(rack);
  page = new WebSocket(new URL('/view', served.url).href.replace('http', 'ws'), 'frontpanel', {
    headers: { authorization: 'Bearer token' },
  });
  events = [];
  page.on('message', (data, isBinary) => {
    if (!isBinary) events.push(JSON.parse(String(data)));
  });
  await once(page, 'open');
  page.send(JSON.stringify({ type: 'watch', machine: 'it' }));
  page.send(JSON.stringify({ type: 'listen', isListening: true }));
  await expect.poll(() => events.map(({ type }) => type), patience).toContain('input');
});

afterEach(async () => {
  page.terminate();
  await served[Symbol.asyncDispose]();
});

test('a machine that fails in every timer of the page is logged, and the page goes on when it works again', async () => {
  machine.isBroken = true;
  await expect
    .poll(() => [...machine.asked].sort(), patience)
    .toEqual(expect.arrayContaining(['joystick', 'picture', 'status']));
  await expect.poll(() => served.log.join('\n'), patience).toMatch(/BUG page: Error: no status today/);
  await expect
    .poll(() => events.filter(({ type }) => type === 'trouble'), patience)
    .toContainEqual({ type: 'trouble', text: 'no joystick today' });
  expect(page.readyState).toBe(WebSocket.OPEN);
  machine.isBroken = false;
  events.length = 0;
  await machine.control.run();
  await expect
    .poll(() => events.find((event) => event.type === 'machines')?.machines[0]?.state, patience)
    .toBe('RUNNING');
});

test('sound that fails is the end of the sound', async () => {
  machine.isBroken = true;
  page.send(JSON.stringify({ type: 'listen', isListening: true }));
  await expect
    .poll(() => events.filter(({ type }) => type === 'trouble'), patience)
    .toContainEqual({ type: 'trouble', text: 'no sound today' });
  expect(page.readyState).toBe(WebSocket.OPEN);
});

test('a viewer who floods is held up, loses nothing, and is let go on', async () => {
  const count = 1000;
  for (let index = 0; index < count; index++) page.send(JSON.stringify({ type: 'nonsense', index }));
  await expect
    .poll(() => events.filter(({ type }) => type === 'trouble').length, { timeout: 60_000, interval: 100 })
    .toBe(count);
  expect(page.readyState).toBe(WebSocket.OPEN);
});

test('a viewer who pings without end and does not read is answered as much as waits for it, no more', async () => {
  const frame = Buffer.alloc(6 + 125);
  frame.set([0x89, 0x80 | 125]);
  const thousand = Buffer.concat(Array.from({ length: 1000 }, () => frame));
  let pongs = 0;
  page.on('pong', () => pongs++);
  page.pause();
  for (let index = 0; index < 400; index++) {
    await new Promise((resolve) => Object(Reflect.get(page, '_socket')).write(thousand, resolve));
  }
  let isAnswered = false;
  page.on('pong', (data) => {
    isAnswered ||= String(data) === 'now I read';
  });
  page.resume();
  await expect
    .poll(
      () => {
        page.ping('now I read');
        return isAnswered;
      },
      { ...patience, interval: 200 },
    )
    .toBe(true);
  expect(pongs).toBeLessThan(200_000);
});

test.each([
  ['larger than anything a page says', Buffer.alloc(100_000, 'x'), 1009],
  ['in a hundred pieces', undefined, 1008],
])('a message %s ends that viewer only', async (_what, whole, code) => {
  const closed = once(page, 'close');
  if (whole) page.send(whole);
  else for (let index = 0; index < 100; index++) page.send('x', { fin: false });
  expect((await closed)[0]).toBe(code);
  const another = new WebSocket(page.url, 'frontpanel', { headers: { authorization: 'Bearer token' } });
  await once(another, 'open');
  another.terminate();
});
