import { afterAll, beforeAll, expect, test } from 'vitest';
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
}, 60_000);

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
  expect(await desk.page.locator('#run').isDisabled()).toBe(true);
  expect(await desk.text('#hint')).toMatch(/serial line/);
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

test('a paste arrives as typed', async () => {
  guest.received = '';
  await desk.page.locator('#terminal').evaluate((element: unknown) => {
    const clipboardData = new (Reflect.get(globalThis, 'DataTransfer'))();
    clipboardData.setData('text/plain', 'one\ntwo');
    const event = new (Reflect.get(globalThis, 'ClipboardEvent'))('paste', { clipboardData, bubbles: true });
    Reflect.get(Object(element), 'dispatchEvent').call(element, event);
  });
  await eventually(() => guest.received).toBe('one\rtwo');
});

test('what a guest prints never becomes part of the page', async () => {
  await guest.print('<img src=x onerror="document.title=1"><script>document.title=2</script> &amp; end\r\n');
  await shows(/<img src=x onerror="document.title=1"><script>document.title=2<\/script> &amp; end/);
  expect(await desk.page.locator('#terminal img, #terminal script').count()).toBe(0);
  expect(await desk.page.title()).toBe('frontpanel');
});

test('a BREAK that the line cannot send says why', async () => {
  await desk.page.locator('#keys button', { hasText: 'BREAK' }).click();
  await eventually(() => desk.text('#trouble')).toMatch(/break/i);
});

test('nothing went wrong in the browser', () => {
  expect(desk.problems).toEqual([]);
});
