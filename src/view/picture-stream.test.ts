import { inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { PageEvent, PagePicture } from './channel.ts';
import { applyBand, decodeFrame } from './frames.ts';
import { Outlet } from './outlet.ts';
import { PictureStream } from './picture-stream.ts';

/** What Pause may wait behind on a line of 200 KB a second to be shown within half a second. */
const mostAhead = 100_000;

/** A viewer's end of a line that carries only what it is told to. */
class SlowLine {
  readonly sent: (string | Uint8Array)[] = [];
  readonly outlet = new Outlet({
    bufferedAmount: 0,
    send: (data) => this.sent.push(data),
    terminate: () => {},
  });
  readonly pictures = new PictureStream(this.outlet);
  shown: PagePicture | undefined;
  whole = 0;
  bytes = 0;
  readonly events: PageEvent[] = [];

  get bytesUnderWay(): number {
    return this.sent.reduce((sum, { length }) => sum + length, 0);
  }

  /** The next message arrives; false if there is none. */
  arrive(): boolean {
    const data = this.sent.shift();
    if (data === undefined) return false;
    if (typeof data === 'string') {
      this.events.push(JSON.parse(data));
      return true;
    }
    this.bytes += data.length;
    const { seq, frame } = decodeFrame(data);
    if (frame.type === 'band') {
      this.shown = applyBand(
        this.shown,
        frame,
        frame.deflated.length > 0 ? inflateRawSync(frame.deflated) : frame.deflated,
      );
      if (frame.isLast) this.whole++;
    }
    this.outlet.acknowledged(seq);
    return true;
  }

  async untilWhole(count: number): Promise<void> {
    while (this.whole < count) {
      this.arrive();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

function picture(paint: (index: number) => number, width = 384, height = 272): PagePicture {
  const palette = Uint8Array.from({ length: 48 }, (_, index) => index * 5);
  return { width, height, palette, pixels: Uint8Array.from({ length: width * height }, (_, index) => paint(index)) };
}

function noise(width: number, height: number): PagePicture {
  let seed = 1;
  const next = () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return seed >>> 24;
  };
  const pixels = Uint8Array.from({ length: width * height * 3 }, next);
  return { width, height, palette: new Uint8Array(), pixels };
}

test('what is painted is the picture, and a small change is a small message', async () => {
  const line = new SlowLine();
  const first = picture((index) => index % 16);
  line.pictures.offer(first);
  await line.untilWhole(1);
  expect(isSame(line.shown, first)).toBe(true);
  const before = line.bytes;
  const second = picture((index) => (index === 50_000 ? 3 : index % 16));
  line.pictures.offer(second);
  await line.untilWhole(2);
  expect(isSame(line.shown, second)).toBe(true);
  expect(line.bytes - before).toBeLessThan(200);
});

test('a change everywhere is one message where that is a small one, and several where not', async () => {
  const line = new SlowLine();
  line.pictures.offer(picture(() => 1));
  await line.untilWhole(1);
  const messages = async (each: PagePicture) => {
    const wanted = line.whole + 1;
    line.pictures.offer(each);
    while (line.outlet.isReady && !line.pictures.isIdle) await new Promise((resolve) => setImmediate(resolve));
    const { length } = line.sent;
    await line.untilWhole(wanted);
    expect(isSame(line.shown, each)).toBe(true);
    return length;
  };
  const bars = (first: number) => picture((index) => (first + Math.floor(index / 383)) % 16, 383, 271);
  const random = { ...bars(0), pixels: noise(383, 271).pixels.subarray(0, 383 * 271) };
  expect(await messages(bars(0))).toBe(1);
  expect(await messages(bars(1))).toBe(1);
  expect(await messages(random)).toBeGreaterThan(1);
  // What was large of late is not tried as a whole.
  expect(await messages(bars(2))).toBeGreaterThan(1);
});

test('colours that change alone are told without pixels', async () => {
  const line = new SlowLine();
  const first = picture(() => 1);
  line.pictures.offer(first);
  await line.untilWhole(1);
  const before = line.bytes;
  const palette = first.palette.map((value) => 255 - value);
  line.pictures.offer({ ...first, palette });
  await line.untilWhole(2);
  expect(line.shown?.palette).toEqual(palette);
  expect(line.bytes - before).toBeLessThan(100);
});

test('a picture of another size, and another machine’s, begin anew', async () => {
  const line = new SlowLine();
  line.pictures.offer(picture(() => 7));
  await line.untilWhole(1);
  const wide = picture((index) => index % 3, 720, 400);
  line.pictures.offer(wide);
  await line.untilWhole(2);
  expect(isSame(line.shown, wide)).toBe(true);
  line.pictures.restart();
  line.pictures.offer(picture(() => 2));
  await line.untilWhole(3);
  expect(
    isSame(
      line.shown,
      picture(() => 2),
    ),
  ).toBe(true);
});

test('of pictures that come while one is on its way the newest is sent, and the others never', async () => {
  const line = new SlowLine();
  line.pictures.offer(noise(640, 400));
  for (let count = 0; count < 10; count++) line.pictures.offer(picture(() => count));
  await line.untilWhole(2);
  expect(
    isSame(
      line.shown,
      picture(() => 9),
    ),
  ).toBe(true);
});

test('whatever the pictures are, a state waits behind few bytes', async () => {
  const line = new SlowLine();
  line.pictures.offer(noise(640, 400));
  let most = 0;
  for (let told = 0; line.whole < 1; told++) {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, line.bytesUnderWay);
    line.outlet.tell({ type: 'trouble', text: `state ${told}` });
    while (!line.events.some((event) => event.type === 'trouble' && event.text === `state ${told}`)) line.arrive();
  }
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(mostAhead);
});

test('who acknowledges nothing gets no more pictures, and is still told everything', async () => {
  const line = new SlowLine();
  line.pictures.offer(noise(640, 400));
  while (line.outlet.isReady) await new Promise((resolve) => setImmediate(resolve));
  const { length } = line.sent;
  expect(line.bytesUnderWay).toBeLessThan(mostAhead);
  line.outlet.tell({ type: 'trouble', text: 'x' });
  expect(line.sent).toHaveLength(length + 1);
});

test('a long event is compressed', async () => {
  const line = new SlowLine();
  line.outlet.tell({ type: 'trouble', text: 'word '.repeat(10_000) });
  const [data] = line.sent;
  expect(data?.length).toBeLessThan(500);
  const { frame } = decodeFrame(data as Uint8Array);
  expect(frame.type === 'event' && JSON.parse(String(inflateRawSync(frame.deflated)))).toMatchObject({
    type: 'trouble',
  });
});

function isSame(shown: PagePicture | undefined, wanted: PagePicture): boolean {
  if (shown?.width !== wanted.width || shown.height !== wanted.height) return false;
  return Buffer.compare(shown.palette, wanted.palette) === 0 && Buffer.compare(shown.pixels, wanted.pixels) === 0;
}

test('pictures in Buffers, as a file is read into, are compared and not changed', async () => {
  const line = new SlowLine();
  const pictures = [3, 5, 6].map((value) => {
    const { pixels, ...rest } = picture((index) => (index % 7 === 0 ? value : 1));
    return { ...rest, pixels: Buffer.from(pixels) };
  });
  for (const [index, each] of pictures.entries()) {
    const before = Uint8Array.from(each.pixels);
    line.pictures.offer(each);
    await line.untilWhole(index + 1);
    expect(Buffer.compare(line.shown?.pixels ?? new Uint8Array(), before)).toBe(0);
    expect(Buffer.compare(each.pixels, before)).toBe(0);
  }
});
