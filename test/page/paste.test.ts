import { afterAll, beforeAll, expect, test } from 'vitest';
import { Desk, eventually } from './desk.ts';

let desk: Desk;
const c64 = { machine: 'c64-1' };

beforeAll(async () => {
  desk = await Desk.open('--toolset', 'all');
  const deaf = await desk.file('DEAF.COM', Uint8Array.of(0xeb, 0xfe));
  await desk.call('machine_start', { kind: 'c64', options: { clock: 'real' } });
  await desk.call('machine_start', { kind: 'dos', name: 'deaf', options: { program: deaf } });
  await desk.visit();
  await desk.take('c64-1');
}, 180_000);

afterAll(() => desk?.[Symbol.asyncDispose]());

/** Takes the machine long enough for a browser on a busy computer: two seconds a line, as fast as it can. */
const long = 'fori=1to2000:next\n'.repeat(555);

const shows = (pattern: RegExp) => desk.reads(pattern, 'screen_read', c64);
const troubleIs = (pattern: RegExp) => desk.told(pattern);
const types = (pattern: RegExp) => desk.page.locator('#typing', { hasText: pattern }).waitFor();
const runs = () => eventually(() => desk.text('#state')).toMatch(/RUNNING/);

test('what was copied is typed on the machine, which runs on', async () => {
  await desk.paste('print 6*7\r\nprint "a b"\n');
  await shows(/^\s*42\s*$.*^a b\s*$/ims);
  await runs();
  await desk.page.locator('#typing').waitFor({ state: 'hidden' });
});

test('from the box as well', async () => {
  await desk.page.locator('#paste').click();
  await desk.page.locator('#paste-text').fill('print 5*5\n');
  await desk.page.locator('#paste-send').click();
  await shows(/^\s*25\s*$/m);
  await desk.page.locator('#screen').click();
});

test('a character that the machine has no key for: nothing is typed, and it is said which', async () => {
  await desk.paste('rem déjà');
  await troubleIs(/no key for "é"; nothing was typed/);
  expect(await desk.call('screen_read', c64)).not.toMatch(/rem d/i);
});

test('too much is refused before it begins', async () => {
  await desk.paste('x'.repeat(10_001));
  await troubleIs(/10,001 characters are more than the limit of 10,000; nothing was typed/);
});

test('it can be stopped, and says how far it came', async () => {
  await desk.paste(long);
  await types(/Typing: \d+ of 9,990/);
  await desk.paste('print 1\n');
  await troubleIs(/still being typed/);
  await desk.page.locator('#stop-typing').click();
  await troubleIs(/\d+ of 9,990 characters were typed: it was stopped/);
  await desk.page.locator('#typing').waitFor({ state: 'hidden' });
  await runs();
});

test('Pause stops it too, and the machine is stopped; then nothing can be typed', async () => {
  await desk.page.locator('#screen').click();
  await desk.paste(long);
  await types(/Typing: [1-9]/);
  await desk.page.locator('#pause').click();
  await eventually(() => desk.text('#state')).toMatch(/PAUSED/);
  await troubleIs(/it was stopped/);
  await desk.page.locator('#screen').click();
  await desk.paste('x');
  await troubleIs(/is stopped; nothing was typed/);
  await desk.page.locator('#run').click();
  await runs();
});

test('an agent that uses the machine takes it', async () => {
  await desk.page.locator('#screen').click();
  await desk.paste(long);
  await types(/Typing: [1-9]/);
  await desk.call('run', { ...c64, frames: 1 });
  await troubleIs(/characters were typed: an agent has used the machine/);
  await eventually(() => desk.text('#state')).toMatch(/PAUSED/);
  await desk.page.locator('#run').click();
});

test('a machine that runs for this person goes on doing so; a program that reads no keys ends it', async () => {
  await desk.take('deaf');
  await desk.page.locator('#run').click();
  await eventually(() => desk.text('#state')).toMatch(/RUNNING .*for you/);
  await desk.page.locator('#screen').click();
  await desk.paste('x'.repeat(40));
  await troubleIs(/12 of 40 characters were typed: Run it until it asks for something/);
  await eventually(() => desk.text('#state')).toMatch(/RUNNING .*for you/);
});

test('nothing went wrong in the browser', () => {
  expect(desk.problems).toEqual([]);
});

test('a person who leaves takes the rest along, and the machine runs on', async () => {
  await desk.take('c64-1');
  await runs();
  await desk.paste(long);
  await types(/Typing: [1-9]/);
  await desk.page.goto('about:blank');
  await desk.reads(/c64-1 RUNNING/, 'machine_list', {});
  const cycles = async () => /c64-1 RUNNING.*cycle ([\d,]+)/.exec(await desk.call('machine_list', {}))?.[1];
  const before = await cycles();
  await eventually(cycles).not.toBe(before);
});
