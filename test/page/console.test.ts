import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Guest } from '../support/guest.ts';
import { Desk, eventually } from './desk.ts';

let desk: Desk;
let guest: Guest;

beforeAll(async () => {
  guest = await Guest.listen();
  guest.onInput = (text) => {
    const echo = text.replaceAll('\x1b', '^').replaceAll('\r', '\r\n');
    void guest.print(Buffer.from(echo, 'latin1'));
  };
  desk = await Desk.open();
  const options = { port: guest.port, write_policy: 'deny' };
  await desk.call('machine_start', { kind: 'console', options });
  await desk.visit();
  await desk.take('console-1', '#terminal');
}, 180_000);

afterAll(async () => {
  await desk?.[Symbol.asyncDispose]();
  await guest?.[Symbol.asyncDispose]();
});

const shows = (pattern: RegExp) => eventually(() => desk.text('#terminal')).toMatch(pattern);
const styleOf = (text: string, property: string) =>
  desk.page
    .locator('#terminal span', { hasText: text })
    .evaluate((element: unknown, name) => String(Reflect.get(globalThis, 'getComputedStyle')(element)[name]), property);

test('is a terminal, with colours, and there is nothing to run or reset', async () => {
  await guest.print('\x1b[1;31mred\x1b[0m and \x1b[48;2;1;2;3mdeep\x1b[0m 漢字\r\n');
  await shows(/red and deep 漢字/);
  expect(await styleOf('red', 'color')).toBe('rgb(224, 82, 79)');
  expect(await styleOf('deep', 'backgroundColor')).toBe('rgb(1, 2, 3)');
  for (const button of ['run', 'pause', 'reset']) expect(await desk.page.locator(`#${button}`).count()).toBe(0);
  await eventually(() => desk.text('#hint')).toMatch(/serial line/);
});

test('what a person types is sent, though agents may not', async () => {
  expect(await desk.call('console_send', { machine: 'console-1', text: 'x' })).toMatch(/ERROR.*deny/s);
  await desk.page.keyboard.type('ls -l ');
  await desk.strike('ü', 'BracketLeft');
  await desk.page.keyboard.press('Enter');
  await desk.page.keyboard.press('Control+c');
  await desk.page.keyboard.press('ArrowUp');
  await desk.page.keyboard.press('F5');
  await eventually(() => Buffer.from(guest.received, 'latin1').toString()).toBe('ls -l ü\r\x03\x1b[A\x1b[15~');
  await shows(/ls -l ü/);
});

test('cursor keys follow the mode that the guest sets', async () => {
  guest.received = '';
  await guest.print('\x1b[?1happlication\r\n');
  await shows(/application/);
  await desk.page.keyboard.press('ArrowUp');
  await eventually(() => guest.received).toBe('\x1bOA');
});

test('a paste arrives as typed, with marks where the guest wants them, and without what nobody saw in it', async () => {
  guest.received = '';
  await desk.paste('one\ntwo');
  await eventually(() => guest.received).toBe('one\rtwo');
  guest.received = '';
  await guest.print('\x1b[?2004hmarks\r\n');
  await shows(/marks/);
  await desk.paste('three\x1b[201~\x03\nfour');
  await eventually(() => guest.received).toBe('\x1b[200~three[201~\rfour\x1b[201~');
  guest.received = '';
  await guest.print('\x1b[?2004lplain\r\n');
  await shows(/plain/);
  await desk.page.locator('#paste').click();
  await desk.page.locator('#paste-text').fill('five');
  await desk.page.locator('#paste-send').click();
  await eventually(() => guest.received).toBe('five');
  await desk.page.locator('#terminal').click();
});

test('as much as may be pasted arrives whole, also characters where a message ends; more is refused', async () => {
  const echo = guest.onInput;
  guest.onInput = () => {};
  guest.received = '';
  const text = `${'a'.repeat(7999)}😀${'語'.repeat(20_000)}${'b'.repeat(70_000)}`;
  await desk.paste(text);
  await eventually(() => guest.received.length).toBe(Buffer.byteLength(text));
  expect(Buffer.from(guest.received, 'latin1').toString() === text).toBe(true);
  await desk.paste('x'.repeat(100_001));
  await desk.told(/100,001 characters are more than the limit/);
  guest.onInput = echo;
});

describe('what has left the screen', () => {
  const lines = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => `line ${first + index}.\r\n`).join('');
  const at = async (property: string) =>
    Number(
      await desk.page.locator('#terminal').evaluate((terminal, name) => Reflect.get(Object(terminal), name), property),
    );
  const isSeen = (text: string) =>
    desk.page
      .locator('#terminal .rows div', { hasText: text })
      .first()
      .evaluate((row: unknown) => {
        const box = (element: unknown) => Reflect.get(Object(element), 'getBoundingClientRect').call(element);
        const [own, all] = [box(row), box(Reflect.get(Object(row), 'closest').call(row, '#terminal'))];
        return own.top >= all.top - 1 && own.bottom <= all.bottom + 1;
      });

  /** Lines that go by fast come after the screen that they have left. */
  const hasLeft = (text: string) =>
    eventually(() => desk.page.locator('.scrolled div', { hasText: text }).count()).toBe(1);

  test('is above it, and who stays at the end sees the end', async () => {
    await guest.print(lines(1, 300));
    await shows(/line 1\..*line 2\..*line 300\./s);
    await hasLeft('line 275.');
    await eventually(() => isSeen('line 300.')).toBe(true);
    expect(await isSeen('line 100.')).toBe(false);
    expect(await desk.page.locator('#newest').isVisible()).toBe(false);
  });

  test('who has scrolled back stays there while more comes, until they type or go to the end', async () => {
    guest.received = '';
    await desk.page.keyboard.press('Shift+PageUp');
    await eventually(() => isSeen('line 270.')).toBe(true);
    await guest.print(lines(301, 340));
    await shows(/line 340\./);
    await hasLeft('line 310.');
    expect(await isSeen('line 270.')).toBe(true);
    await desk.page.locator('#newest').click();
    await eventually(() => isSeen('line 340.')).toBe(true);
    await desk.page.locator('#terminal').hover();
    // Once: a second turn could come after what is typed.
    await desk.page.mouse.wheel(0, -300);
    await desk.page.locator('#newest').waitFor();
    await desk.page.keyboard.type('x');
    await eventually(() => guest.received).toBe('x');
    await desk.page.locator('#newest').waitFor({ state: 'hidden' });
  });

  test('is kept to a thousand lines, those that are read stay in place as long as they are there', async () => {
    await guest.print(lines(341, 1100));
    await shows(/line 1100\./);
    await hasLeft('line 1075.');
    await eventually(() => desk.page.locator('.scrolled div').count()).toBe(1000);
    await desk.page.keyboard.press('Shift+PageUp');
    await eventually(() => isSeen('line 1070.')).toBe(true);
    const top = await at('scrollTop');
    await guest.print(lines(1101, 1200));
    await shows(/line 1200\./);
    await hasLeft('line 1175.');
    await eventually(() => at('scrollTop')).toBeLessThan(top);
    expect(await isSeen('line 1070.')).toBe(true);
    expect(await desk.page.locator('.scrolled div').count()).toBe(1000);
  });

  test('goes when the guest clears it', async () => {
    await guest.print('\x1b[3Jcleared\r\n');
    await shows(/cleared/);
    await eventually(() => desk.page.locator('.scrolled div').count()).toBeLessThan(3);
  });
});

test('what a guest prints never becomes part of the page', async () => {
  await guest.print('<img src=x onerror="document.title=1"><script>document.title=2</script> &amp; end\r\n');
  await shows(/<img src=x onerror="document.title=1"><script>document.title=2<\/script> &amp; end/);
  expect(await desk.page.locator('#terminal img, #terminal script').count()).toBe(0);
  expect(await desk.page.title()).toBe('frontpanel');
});

test('a BREAK that the line cannot send says why', async () => {
  await desk.page.locator('#keys button', { hasText: 'BREAK' }).click();
  await desk.told(/break/i);
});

test('nothing went wrong in the browser', () => {
  expect(desk.problems).toEqual([]);
});
