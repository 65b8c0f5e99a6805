import { afterAll, beforeAll, expect, test } from 'vitest';
import { Desk, eventually } from './desk.ts';

let desk: Desk;
const c64 = { machine: 'c64-1' };

/** Notes what is handed to the loudspeaker: how many pieces, how many of them without a gap, and the last second. */
const recorder = `(() => {
  const notes = { pieces: 0, joined: 0, next: 0, last: [] };
  globalThis.notes = notes;
  const start = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (when) {
    const samples = Array.from(this.buffer.getChannelData(0));
    notes.pieces++;
    if (Math.abs(notes.next - when) < 1e-6) notes.joined++;
    notes.next = when + samples.length / 44100;
    notes.last = [...notes.last, ...samples].slice(-44100);
    return start.call(this, when);
  };
  const Context = AudioContext;
  globalThis.AudioContext = class extends Context {
    constructor(options) {
      super(options);
      globalThis.audio = this;
    }
  };
})()`;

/**
 * How far apart the middle is usually crossed upwards, in the last second that was played, as a frequency: where a busy
 * computer has left something out, the wave begins anew.
 */
const hertz = `(() => {
  const { last } = notes;
  const mean = last.reduce((sum, sample) => sum + sample, 0) / last.length;
  const crossings = last.flatMap((sample, index) => (sample >= mean && last[index - 1] < mean ? [index] : []));
  const apart = crossings.slice(1).map((at, index) => at - crossings[index]).sort((a, b) => a - b);
  return 44100 / apart[apart.length >> 1];
})()`;

beforeAll(async () => {
  desk = await Desk.open('--toolset', 'all');
  await desk.call('machine_start', { kind: 'c64', options: { clock: 'real' } });
  // mov al,3 / out 61h,al / jmp $: the speaker, at the pitch that the BIOS has left.
  const program = await desk.file('BEEP.COM', Uint8Array.of(0xb0, 0x03, 0xe6, 0x61, 0xeb, 0xfe));
  await desk.call('machine_start', { kind: 'dos', options: { clock: 'real', program } });
  await desk.call('pause', c64);
  // Triangle of 440 Hz, gate on, full volume.
  await desk.call('memory_write', { ...c64, address: '$d400', bytes: '45 1d 00 00 11 00 f0', space: 'io' });
  await desk.call('memory_write', { ...c64, address: '$d418', bytes: '0f', space: 'io' });
  await desk.page.addInitScript(recorder);
  await desk.visit();
  await desk.take('c64-1');
  await desk.page.locator('#run').click();
}, 180_000);

afterAll(() => desk?.[Symbol.asyncDispose]());

const ask = async (what: string) => Number(await desk.page.evaluate(what));
const heard = async () => Number((await desk.page.locator('#sound').getAttribute('data-heard')) ?? 0);

test('is off until somebody unmutes it, and costs nothing until then', async () => {
  expect(await desk.text('#sound')).toBe('Unmute');
  await desk.page.waitForTimeout(300);
  expect(await heard()).toBe(0);
  expect(await desk.page.evaluate('globalThis.audio === undefined')).toBe(true);
});

test('then the machine is heard, at its pitch, in pieces that fit together', async () => {
  await desk.page.locator('#sound').click();
  await eventually(() => desk.text('#sound')).toBe('Mute');
  await eventually(() => ask('notes.pieces')).toBeGreaterThan(60);
  await eventually(async () => Math.abs((await ask(hertz)) - 440)).toBeLessThan(15);
  await eventually(() => ask('Math.max(...notes.last)')).toBeGreaterThan(0.05);
  await eventually(() => ask('notes.joined')).toBeGreaterThan(5);
});

test('what cannot be played now is not kept for later', async () => {
  await desk.page.evaluate('audio.suspend()');
  const pieces = await ask('notes.pieces');
  const before = await heard();
  await eventually(heard).toBeGreaterThan(before + 44_100);
  expect(await ask('notes.pieces')).toBe(pieces);
  await desk.page.evaluate('audio.resume()');
  await eventually(() => ask('notes.pieces')).toBeGreaterThan(pieces);
  expect(await ask('notes.next - audio.currentTime')).toBeLessThan(0.6);
});

test('goes over to the machine that is watched next', async () => {
  await desk.take('dos-1');
  // Its timer divides by 1331.
  await eventually(async () => Math.abs((await ask(hertz)) - 1_193_182 / 1331)).toBeLessThan(30);
});

test('a paused machine is silent, and mute ends it', async () => {
  await desk.page.locator('#pause').click();
  await eventually(() => desk.text('#state')).toMatch(/PAUSED/);
  const paused = await eventuallyStill(heard);
  await desk.page.locator('#run').click();
  await eventually(heard).toBeGreaterThan(paused);
  await desk.page.locator('#sound').click();
  await eventually(() => desk.text('#sound')).toBe('Unmute');
  await eventually(() => desk.page.evaluate('audio.state')).toBe('closed');
  await eventuallyStill(heard);
});

test('nothing went wrong in the browser', () => {
  expect(desk.problems).toEqual([]);
});

/** What it is once it does not change any more: what was on its way may still come. */
async function eventuallyStill(look: () => Promise<number>): Promise<number> {
  let last = -1;
  await eventually(async () => {
    last = await look();
    await desk.page.waitForTimeout(300);
    return (await look()) === last;
  }).toBe(true);
  return last;
}
