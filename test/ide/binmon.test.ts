import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { BinmonClient, type BinmonMessage, counted, le16, le32 } from '../support/binmon-client.ts';
import { DebugDesk } from './debug-desk.ts';

const dir = mkdtempSync(join(tmpdir(), 'binmon-'));
let desk: DebugDesk;
beforeAll(async () => {
  desk = await DebugDesk.open('--allow-debuggers', '--toolset', 'all', '--allow-path', dir);
});
afterAll(async () => {
  await desk[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true });
});
afterEach(() => desk.agent.call('machine_stop', { machine: 'mine' }).catch(() => {}));

const soon = { timeout: 60_000 };
const list = async () => (await desk.agent.call('machine_list')).text;
const read = (start: number, end = start, memspace = 0, effects = 0) => [
  effects,
  ...le16(start, end),
  memspace,
  ...le16(0),
];
const write = (start: number, bytes: readonly number[]) => [
  0,
  ...le16(start, start + bytes.length - 1),
  0,
  ...le16(0),
  ...bytes,
];
const setPc = (pc: number) => [0, ...le16(2), 3, 3, ...le16(pc), 3, 5, ...le16(0x24)];
const checkpoint = (start: number, { stop = 1, operation = 4, temporary = 0 } = {}) => [
  ...le16(start, start),
  stop,
  1,
  operation,
  temporary,
];
const at = async (client: BinmonClient, address: number) => (await client.ask(0x01, read(address))).body[2];

/** INC $0400, JMP $C000. */
const loop = [0xee, 0x00, 0x04, 0x4c, 0x00, 0xc0];
async function looping(options: Record<string, unknown> = {}): Promise<BinmonClient> {
  const client = await BinmonClient.open(await desk.start('c64', 'binmon', options));
  await client.ask(0x02, write(0xc000, loop));
  await client.ask(0x32, setPc(0xc000));
  return client;
}

test('stops of the agent are told to the client, and its checkpoints are breakpoints that the agent sees', async () => {
  using client = await looping();
  expect(await list()).toMatch(/mine .* · binmon \(127\.0\.0\.1:\d+\) attached/);
  await client.ask(0xaa);
  await client.event(0x63);
  await vi.waitFor(async () => expect(await list()).toContain('mine RUNNING'), soon);
  await desk.agent.call('pause', { machine: 'mine' });
  expect((await client.event(0x62)).map(({ type }) => type)).toEqual([0x31, 0x62]);

  await client.ask(0x12, checkpoint(0xc003));
  const { text } = await desk.agent.call('breakpoint_list', { machine: 'mine' });
  expect(text).toMatch(/C003.*binmon/);
  await desk.agent.call('run', { machine: 'mine' });
  expect((await client.event(0x62)).map(({ type }) => type)).toEqual(expect.arrayContaining([0x63, 0x11, 0x31, 0x62]));

  await desk.agent.call('breakpoint_set', { machine: 'mine', address: '$0400', type: 'write' });
  const listed = await client.asked(0x14);
  expect(listed.map(({ type }) => type)).toEqual([0x11, 0x11, 0x14]);
  expect([...(listed[1]?.body.subarray(5, 12) ?? [])]).toEqual([...le16(0x0400, 0x0400), 1, 1, 2]);
  await client.ask(0xaa);
  const stop = await client.event(0x62);
  expect(stop.find(({ type }) => type === 0x11)?.body.readUInt32LE(0)).toBe(2);
  client.socket.destroy();
  await vi.waitFor(
    async () => expect((await desk.agent.call('breakpoint_list', { machine: 'mine' })).text).not.toContain('binmon'),
    soon,
  );
});

test('a checkpoint that does not stop is told at each hit; a temporary one goes on at once and is gone when it is hit', async () => {
  using client = await looping();
  await client.ask(0x12, checkpoint(0xc003, { stop: 0 }));
  await client.ask(0xaa);
  const first = (await client.event(0x11)).at(-1);
  expect(first?.body[4]).toBe(1);
  await client.ask(0x13, le32(1));
  expect((await client.ask(0x12, checkpoint(0xc000, { temporary: 1, operation: 4 }))).body[12]).toBe(1);
  const stop = await client.event(0x62);
  expect(stop.filter(({ isEvent }) => isEvent).map(({ type }) => type)).toEqual(expect.arrayContaining([0x63, 0x62]));
  expect((await client.ask(0x14)).body.readUInt32LE(0)).toBe(0);
});

test('a processor that jams is told as such', async () => {
  using client = await looping();
  await client.ask(0x02, write(0xc003, [0x02]));
  await client.ask(0xaa);
  expect((await client.event(0x62)).map(({ type }) => type)).toEqual([0x63, 0x61, 0x31, 0x62]);
});

test('text reaches the KERNAL through its buffer, longer than it is, while the machine runs', async () => {
  using client = await BinmonClient.open(await desk.start('c64', 'binmon'));
  expect((await client.ask(0x52, [1, ...counted('Speed'), 1, 0])).error).toBe(0);
  expect((await client.ask(0x72, counted('PRINT 12345+1\rPRINT 9\r'))).error).toBe(0);
  await client.ask(0xaa);
  await vi.waitFor(
    async () => expect((await desk.agent.call('screen_read', { machine: 'mine' })).text).toMatch(/12346[\s\S]*\n ?9/),
    soon,
  );
});

const shown = async () => (await desk.agent.call('screen_read', { machine: 'mine' })).text;

test('text that is fed right after a reset waits until the system has started', async () => {
  using client = await BinmonClient.open(await desk.start('c64', 'binmon'));
  await client.ask(0x52, [1, ...counted('Speed'), 1, 0]);
  await client.ask(0xcc, [0]);
  await client.ask(0x72, counted('PRINT 12345+1\r'));
  await client.ask(0xaa);
  await vi.waitFor(async () => expect(await shown()).toContain('12346'), soon);
});

test('what a client has typed and started gets there though it leaves at once', async () => {
  const port = await desk.start('c64', 'binmon');
  const once = async (...commands: readonly (readonly [number, readonly number[]])[]) => {
    using client = await BinmonClient.open(port);
    for (const [type, body] of [[0x52, [1, ...counted('Speed'), 1, 0]], ...commands, [0xaa, []]] as const)
      expect((await client.ask(type, body)).error).toBe(0);
  };
  await once([0x72, counted('PRINT 12345+1\rPRINT 9:PRINT "THE END"\r')]);
  await vi.waitFor(async () => expect(await shown()).toMatch(/12346[\s\S]*\nTHE END/), soon);
  const prg = join(dir, 'left.prg');
  // 10 PRINT"LEFT ALONE"
  writeFileSync(prg, Buffer.from('010815080a0099224c45465420414c4f4e452200000000', 'hex'));
  await once([0xdd, [1, 0, 0, ...counted(prg)]]);
  await vi.waitFor(async () => expect(await shown()).toMatch(/RUN[\s\S]*\nLEFT ALONE/), soon);
  await vi.waitFor(async () => expect(await list()).not.toContain('attached'), soon);
});

test('text is let go of with a client that leaves a machine that is stopped', async () => {
  const port = await desk.start('c64', 'binmon');
  using client = await BinmonClient.open(port);
  await client.ask(0x72, counted('PRINT 12345+1\rPRINT 9\r'));
  client.socket.destroy();
  await vi.waitFor(async () => expect(await list()).not.toContain('attached'), soon);
});

test('joystick and user port are pins, and reading with side effects clears what reading clears', async () => {
  using client = await looping();
  expect((await client.ask(0xa2, le16(1, 0xff & ~0x11))).error).toBe(0);
  expect((await at(client, 0xdc00)) ?? 0).toBe(0x6e);
  expect((await client.ask(0xb2, le16(0x5a))).error).toBe(0);
  expect(await at(client, 0xdd01)).toBe(0x5a);
  await client.ask(0x02, write(0xdc0d, [0x7f]));
  await client.ask(0x71, [0, ...le16(20_000)]);
  await client.event(0x62);
  expect((await at(client, 0xdc0d)) ?? 0).not.toBe(0);
  expect((await client.ask(0x01, read(0xdc0d, 0xdc0d, 0, 1))).body[2]).not.toBe(0);
  // The line to the processor goes up a cycle later.
  expect(((await at(client, 0xdc0d)) ?? 0) & 0x7f).toBe(0);
});

test('a drive is another memspace, with registers of its own, and is reset alone', async () => {
  using client = await looping({ drives: 'fast' });
  await client.ask(0x52, [1, ...counted('Drive8Type'), 2, ...le16(0)]);
  expect((await client.ask(0x01, read(0x0300, 0x03ff, 1))).error).toBe(0x8f);
  await client.ask(0x52, [1, ...counted('Drive8Type'), 2, ...le16(1541)]);
  const memory = await client.ask(0x01, read(0x0300, 0x03ff, 1));
  expect([memory.error, memory.body.length]).toEqual([0, 258]);
  expect((await client.ask(0xcc, [8])).error).toBe(0);
  expect((await client.ask(0xcc, [99])).error).toBe(0x81);
  expect((await client.ask(0x31, [0])).body.readUInt16LE(4)).toBe(0xc000);
});

test('the picture has its size, its inner part and its palette', async () => {
  using client = await looping();
  const { body } = await client.ask(0x84, [1, 0]);
  const [width, height, x, y, innerWidth, innerHeight] = [4, 6, 8, 10, 12, 14].map((offset) =>
    body.readUInt16LE(offset),
  );
  expect([width, height, x, y, innerWidth, innerHeight]).toEqual([384, 272, 32, 35, 320, 200]);
  expect([body[16], body.readUInt32LE(17), body.length]).toEqual([8, 384 * 272, 21 + 384 * 272]);
  const palette = (await client.ask(0x91, [1])).body;
  expect([palette.readUInt16LE(0), palette.length, palette[2]]).toEqual([16, 2 + 16 * 4, 3]);
});

test('state goes to a file and comes back; a reset and an autostart run on', async () => {
  using client = await looping();
  const path = join(dir, 'state.snap');
  expect((await client.ask(0x41, [1, 1, ...counted(path)])).error).toBe(0);
  await client.ask(0x02, write(0xc000, [0xea]));
  // VICE takes names up to a NUL: clients send buffers of one size.
  expect((await client.ask(0x42, counted(`${path}\0   `))).body.readUInt16LE(0)).toBe(0xc000);
  expect(await at(client, 0xc000)).toBe(0xee);
  for (const how of [0, 1]) {
    expect((await client.ask(0xcc, [how])).error).toBe(0);
    await client.event(0x63);
  }
  expect((await client.asked(0x81)).map(({ type }) => type)).toEqual([0x31, 0x62, 0x81]);

  const prg = join(dir, 'loop.prg');
  // 10 SYS 2061, and a loop there.
  writeFileSync(prg, Buffer.from('01080b080a009e32303631000000ee20d04c0d08', 'hex'));
  expect((await client.ask(0xdd, [1, 0, 0, ...counted(join(dir, 'none.prg'))])).error).toBe(0x8f);
  expect((await client.ask(0xdd, [1, 0, 0, ...counted(prg)])).error).toBe(0);
  await client.event(0x63);
  await vi.waitFor(async () => {
    const pc = (await client.ask(0x31, [0])).body.readUInt16LE(4);
    if (pc < 0x080d || pc > 0x0812) await client.ask(0xaa);
    expect(pc).toBeGreaterThanOrEqual(0x080d);
    expect(pc).toBeLessThanOrEqual(0x0812);
  }, soon);
});

test('a checkpoint that is set right after an autostart is met', async () => {
  using client = await looping();
  const prg = join(dir, 'once.prg');
  // 10 SYS 2061, and a loop there that comes by its beginning once.
  writeFileSync(prg, Buffer.from('01080b080a009e32303631000000a201ee20d04c0f08', 'hex'));
  expect((await client.ask(0xdd, [1, 0, 0, ...counted(prg)])).error).toBe(0);
  const { body } = await client.ask(0x12, [...le16(0x080d), ...le16(0x080d), 1, 1, 4, 0]);
  await client.ask(0xaa);
  const hit = (await client.event(0x11)).at(-1) as BinmonMessage;
  expect(hit.body.readUInt32LE(0)).toBe(body.readUInt32LE(0));
  expect((await client.ask(0x31, [0])).body.readUInt16LE(4)).toBe(0x080d);
});

test('resources are those of the configuration, versions are checked, and quitting only leaves', async () => {
  using client = await looping();
  expect((await client.ask(0x52, [1, ...counted('Drive9Type'), 2, ...le16(1541)])).error).toBe(0);
  expect((await client.ask(0x51, counted('Drive9Type'))).body.readUInt32LE(2)).toBe(1541);
  expect((await client.ask(0x52, [1, ...counted('JoyPort1Device'), 1, 37])).error).toBe(0);
  expect((await client.ask(0x81, [], 3)).error).toBe(0x82);
  expect((await client.ask(0x72, counted('A'), 1)).error).toBe(0x82);
  expect((await client.ask(0xbb)).error).toBe(0);
  await client.closed();
  expect(await list()).toContain('mine');
});

test('a VIC-20 and a Plus/4 have their own banks and palettes', async () => {
  for (const [kind, banks, colours] of [
    ['vic20', 2, 16],
    ['plus4', 5, 128],
  ] as const) {
    using client = await BinmonClient.open(await desk.start(kind, 'binmon'));
    expect((await client.ask(0x82)).body.readUInt16LE(0)).toBe(banks);
    expect((await client.ask(0x91, [0])).body.readUInt16LE(0)).toBe(colours);
    expect((await client.ask(0x01, read(0xfffc, 0xfffd))).error).toBe(0);
    await desk.agent.call('machine_stop', { machine: 'mine' });
    await client.closed();
  }
});

test('lines of a Plus/4 are those of the picture, as in VICE: the first is line 257 of the TED, 229 with NTSC', async () => {
  for (const [kind, video, first, count] of [
    ['plus4', 'pal', 257, 312],
    ['c16', 'ntsc', 229, 262],
  ] as const) {
    using client = await BinmonClient.open(await desk.start(kind, 'binmon', { video }));
    for (const line of [3, 100]) {
      const { body } = await client.ask(0x12, [...le16(0, 0xffff), 1, 1, 4, 0]);
      const number = le32(body.readUInt32LE(0));
      expect((await client.ask(0x22, [...number, ...counted(`RL == $${line.toString(16)}`)])).error).toBe(0);
      await client.ask(0xaa);
      await client.event(0x62);
      const registers = (await client.ask(0x31, [0])).body;
      const shown = registers.readUInt16LE(registers.indexOf(Buffer.from([3, 0x35])) + 2);
      const [high = 0, low = 0] = (await client.ask(0x01, read(0xff1c, 0xff1d))).body.subarray(2);
      const ofTheChip = ((high & 1) << 8) | low;
      expect(shown).toBe(line);
      // It counts up a cycle later than the beam comes to the line.
      expect([(line + first) % count, (line + first - 1) % count]).toContain(ofTheChip);
      await client.ask(0x13, number);
    }
    await desk.agent.call('machine_stop', { machine: 'mine' });
    await client.closed();
  }
});

test('what is no such client, or sends more than a machine has memory for, is cut off', async () => {
  const port = await desk.start('c64', 'binmon');
  using web = await BinmonClient.open(port);
  web.socket.write('GET / HTTP/1.1\r\n\r\n');
  await web.closed();
  using flood = await BinmonClient.open(port);
  flood.socket.write(Buffer.from([2, 2, 0xff, 0xff, 0xff, 0x7f, 1, 0, 0, 0, 0x81]));
  await flood.closed();
  expect(flood.socket.bytesRead).toBe(0);
});
