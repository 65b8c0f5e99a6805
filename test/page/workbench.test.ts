import { afterAll, beforeAll, expect, test } from 'vitest';
import { Desk, eventually } from './desk.ts';

let desk: Desk;
const c64 = { machine: 'c64-1' };

beforeAll(async () => {
  desk = await Desk.open();
  await desk.call('machine_start', { kind: 'c64' });
  await desk.call('run', { ...c64, screen_text: 'READY.' });
  await desk.visit();
}, 180_000);

afterAll(() => desk?.[Symbol.asyncDispose]());

const pane = (id: string) => desk.page.locator(`.pane-${id}`);
const open = async (title: string) => {
  await desk.page.locator('.pane-bar button', { hasText: title }).click();
};
const stops = () =>
  desk.page
    .locator('.pane[data-stop]')
    .evaluateAll((panes) => panes.map((each) => Reflect.get(Object(each), 'dataset').stop));

test('registers and code follow the stop, and every pane says the same moment', async () => {
  await desk.call('program_run', { ...c64, source: '* = $c000\nloop inc $d020\n lda #5\n jmp loop', start: false });
  await desk.call('breakpoint_set', { ...c64, address: '$c003' });
  await open('Memory');
  await desk.call('registers_write', { ...c64, values: { PC: '$c000' } });
  const stopped = await desk.call('run', { ...c64, frames: 1 });
  const [, stop] = /stop (\d+)/.exec(stopped) ?? [];
  await eventually(stops).toEqual([stop, stop, stop]);
  await eventually(() => pane('registers').textContent()).toMatch(/PC\s*C003/);
  await eventually(() => pane('code').locator('li.next').textContent()).toMatch(/C003.*LDA #\$05/i);
  await desk.call('step', c64);
  await eventually(() => pane('registers').locator('.lit').allTextContents()).toContainEqual(
    expect.stringMatching(/^A05/),
  );
  await eventually(() => pane('code').locator('li.next').textContent()).toMatch(/C005.*JMP/i);
});

test('buttons and keys step, and all panes follow', async () => {
  const next = (pattern: RegExp) => eventually(() => pane('code').locator('li.next').textContent()).toMatch(pattern);
  await desk.page.locator('#step-into').click();
  await next(/C000.*INC/i);
  await desk.page.keyboard.press('F10');
  await next(/C003.*LDA/i);
  // What is still in the window does not move it, although a label is above its first line.
  await eventually(() => pane('code').locator('li button').first().textContent()).toBe('$C000');
  await desk.page.keyboard.press('F9');
  await next(/C000.*INC/i);
  await eventually(() => pane('registers').textContent()).toMatch(/PC\s*C000/);
  await desk.page.keyboard.press('F8');
  await eventually(() => desk.text('#state')).toMatch(/breakpoint/);
  await next(/C003.*LDA/i);
  await desk.page.locator('#step-back').click();
  await next(/C000.*INC/i);
  await desk.call('step', { ...c64, count: 2 });
  await eventually(() => desk.page.locator('#calls').textContent()).toMatch(/stepped over/);
});

test('a click on an address sets a breakpoint and takes it away; another one has a condition', async () => {
  const line = pane('code').locator('li', { hasText: '$C005' });
  await line.locator('button').click();
  await eventually(() => desk.call('breakpoint_list', c64)).toMatch(/exec \$C005/i);
  await eventually(() => line.getAttribute('class')).toMatch(/stops/);
  await line.locator('button').click();
  await eventually(() => desk.call('breakpoint_list', c64)).not.toMatch(/exec \$C005/i);
  await open('Breakpoints');
  await pane('breakpoints').getByLabel('Address').fill('$c000');
  await pane('breakpoints').getByLabel('Condition').fill('a == 5');
  await pane('breakpoints').getByText('Set', { exact: true }).click();
  await eventually(() => desk.call('breakpoint_list', c64)).toMatch(/C000.*a == 5/is);
  await eventually(() => pane('breakpoints').textContent()).toMatch(/a == 5/);
});

test('what is too long for a message is refused, and the page stays connected', async () => {
  const condition = pane('breakpoints').getByLabel('Condition');
  await pane('breakpoints').getByLabel('Address').fill('$c000');
  await condition.fill('1'.repeat(70_000));
  await condition.press('Enter');
  await desk.told(/more than 64 KB, the limit for one message; nothing was sent/);
  await condition.fill('a == 6');
  await condition.press('Enter');
  await eventually(() => desk.call('breakpoint_list', c64)).toMatch(/C000.*a == 6/is);
});

test('memory shows bytes and characters, and lights what was written', async () => {
  await pane('memory').getByLabel('Address').fill('$0400');
  await pane('memory').getByText('Go', { exact: true }).click();
  await eventually(() => pane('memory').locator('.bytes').textContent()).toMatch(/^0400/);
  await desk.call('memory_write', { ...c64, address: '$0402', bytes: '08 05 0C' });
  await eventually(() => pane('memory').locator('.lit').allTextContents()).toEqual(['08', '05', '0C']);
  await pane('memory').getByLabel('screen codes').check();
  await eventually(() => pane('memory').locator('.bytes code').first().textContent()).toMatch(/HEL/);
});

test('chips show their registers, and sprites and character sets as pictures', async () => {
  await open('Chips');
  await eventually(() => pane('chips').textContent()).toMatch(/raster/i);
  await pane('chips').getByText('sprite', { exact: true }).click();
  await eventually(() => pane('chips').locator('img').count()).toBe(8);
  await pane('chips').getByText('charset', { exact: true }).click();
  await eventually(() => pane('chips').locator('img').first().getAttribute('alt')).toMatch(/charset/);
});

test('reads of panes are not in the list of calls; what a person does is', async () => {
  await eventually(() => desk.page.locator('#calls').textContent()).toMatch(/breakpoint_set/);
  expect(await desk.page.locator('#calls').textContent()).not.toMatch(/state_read|chip_read|disassemble/);
  expect(await desk.page.locator('#calls').textContent()).toMatch(/a person/);
});

test('what is open, and where, is there again after a reload', async () => {
  await pane('memory').getByLabel('Move to the other side').click();
  await pane('chips').getByLabel('Close').click();
  await desk.page.reload();
  await desk.page.locator('.panes-below .pane-memory').waitFor();
  expect(await pane('chips').count()).toBe(0);
  expect(await pane('breakpoints').count()).toBe(1);
});

test('whatever can be used has a name', async () => {
  for (const title of ['Chips', 'Functions', 'Graph', 'Call stack']) await open(title);
  await eventually(() => pane('functions').textContent()).toMatch(/\$[0-9A-F]{4}/);
  expect(await desk.nameless()).toEqual([]);
});

test('nothing went wrong in the browser', () => {
  expect(desk.problems).toEqual([]);
});

test('a click on a block of the graph shows its code, stops there and names it; each machine keeps its own graph', async () => {
  await desk.call('machine_start', { kind: 'dos', name: 'pc' });
  await desk.call('program_run', { machine: 'pc', source: 'mov cx,3\nagain: loop again\njmp $' });
  const { page } = desk;
  const choose = (handle: string) => page.locator('#machines button', { hasText: handle }).click();
  await choose('pc');
  await page.locator('.pane-bar button', { hasText: /^Graph$/ }).click();
  const block = page.locator('.graph .block[aria-label$=":0103"]');
  await block.click();
  await eventually(() => desk.text('.block-detail pre')).toMatch(/0103 .*loop/);
  await page.locator('.block-detail .stop').click();
  await eventually(() => desk.call('breakpoint_list', { machine: 'pc' })).toMatch(/:0103/);
  await eventually(() => desk.text('.block-detail .stop')).toBe('Remove the breakpoint');
  await page.locator('.block-detail .stop').click();
  await eventually(() => desk.call('breakpoint_list', { machine: 'pc' })).not.toMatch(/:0103/);
  await page.locator('.block-detail input').fill('count_down');
  await page.locator('.block-detail button[type="submit"]').click();
  await eventually(() => desk.text('.block-detail pre')).toMatch(/count_down:/);
  // What is being typed stays while the machine has news.
  const shownStop = () => page.locator('.pane-graph').getAttribute('data-stop');
  const before = await shownStop();
  await page.locator('.pane-graph input').first().fill('count_down');
  await desk.call('step', { machine: 'pc' });
  await eventually(shownStop).not.toBe(before);
  await page.locator('.pane-graph input').first().press('Enter');
  await eventually(() => page.locator('.graph img').getAttribute('alt')).toBe('Control-flow graph count_down');
  // What is an address there is none elsewhere.
  const place = () => page.locator('.pane-memory').getByLabel('Address').getAttribute('placeholder');
  await page.locator('.pane-bar button', { hasText: /^Memory$/ }).click();
  await page.locator('.pane-memory').getByLabel('Address').fill('cs:0103');
  await page.locator('.pane-memory').getByText('Go', { exact: true }).click();
  await eventually(place).toBe('cs:0103');
  await desk.call('machine_start', { kind: 'dos', name: 'other' });
  await choose('other');
  await eventually(place).toBe('$0400');
  await eventually(() => page.locator('.pane-graph input').first().inputValue()).toBe('');
  await choose('pc');
  await eventually(() => page.locator('.pane-graph input').first().inputValue()).toBe('count_down');
  await eventually(place).toBe('cs:0103');
});
