import type { Response } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Desk, eventually, launchBrowser, patient, told } from './desk.ts';

let desk: Desk;

beforeAll(async () => {
  desk = await Desk.open();
  await desk.visit();
}, 180_000);

afterAll(() => desk?.[Symbol.asyncDispose]());

const card = (handle: string) => desk.page.locator(`.card[data-machine="${handle}"]`);
const painted = async (handle: string) =>
  Number((await card(handle).locator('canvas').getAttribute('data-painted')) ?? 0);

test('an empty rack invites to start something, and a kind is chosen with its options', async () => {
  await desk.page.getByText('Nothing is running yet').waitFor();
  await desk.page.locator('#start').click();
  await desk.page.locator('#start-kind').selectOption('c64');
  await desk.page.locator('#start-dialog summary').click();
  await desk.page.locator('#option-video').selectOption('ntsc');
  await desk.page.locator('#start-now').click();
  // Who starts one here sees it run.
  await eventually(() => desk.text('#state')).toMatch(/^c64-1 RUNNING/);
  expect(await desk.call('machine_list', {})).toMatch(/c64-1 RUNNING/);
  await desk.page.goBack();
  await eventually(() => desk.text('#state')).toBe('1 machine');
});

test('on a telephone an option and its name have half of the width each', async () => {
  await desk.page.setViewportSize({ width: 360, height: 700 });
  await desk.page.locator('#start').click();
  await desk.page.locator('#start-kind').selectOption('c64');
  await desk.page.locator('#start-dialog summary').click();
  const columns = await desk.page.evaluate(
    `getComputedStyle(document.querySelector('#option-video').closest('.option')).gridTemplateColumns`,
  );
  const [name, choice, ...more] = String(columns).split(' ');
  expect(more).toEqual([]);
  expect(choice).toBe(name);
  await desk.page.keyboard.press('Escape');
  await desk.page.setViewportSize({ width: 1300, height: 860 });
});

test('all machines are there in small and live, with who uses them', async () => {
  await desk.call('machine_start', { kind: 'vic20', options: { clock: 'real' } });
  await card('vic20-1').waitFor();
  const before = await painted('c64-1');
  await eventually(() => painted('c64-1')).toBeGreaterThan(before);
  await desk.call('input_send', { machine: 'vic20-1', text: 'A' });
  await eventually(() => card('vic20-1').textContent()).toMatch(/vic20 · running.*used by page test/);
});

test('a machine is renamed, forked and stopped from here', async () => {
  await card('c64-1').getByText('Rename').click();
  await card('c64-1').getByLabel('Name', { exact: true }).fill('<b>My</b> machine');
  await card('c64-1').getByText('Save').click();
  await eventually(() => card('c64-1').locator('h3').textContent()).toBe('<b>My</b> machine');
  expect(await desk.call('machine_list', {})).toMatch(/called "<b>My/);
  await card('c64-1').getByText('Fork').click();
  await card('c64-1-fork-1').waitFor();
  await card('c64-1-fork-1').getByText('Stop').click();
  await card('c64-1-fork-1').getByText('Really stop').click();
  await eventually(() => card('c64-1-fork-1').count()).toBe(0);
});

test('a program that is dropped onto the page runs', async () => {
  const transfer = await desk.page.evaluateHandle(`(() => {
    const data = new DataTransfer();
    const source = '* = $c000\\n lda #33\\n sta $0400\\nloop jmp loop\\n';
    data.items.add(new File([source], 'hello.asm'));
    return data;
  })()`);
  await desk.page.locator('.rack').dispatchEvent('drop', { dataTransfer: transfer });
  await eventually(() => desk.text('#state')).toMatch(/^c64-2 RUNNING/);
  await desk.reads(/0400[^\n]*\b21\b/, 'memory_read', { machine: 'c64-2', address: '$0400', length: 1 });
});

test('dropped onto a machine it is for that one; who cannot drop chooses a file', async () => {
  await desk.page.evaluate(`(() => {
    const data = new DataTransfer();
    data.items.add(new File(['* = $c000\\n rts'], 'again.asm'));
    document.querySelector('#screen').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
  })()`);
  await eventually(() => desk.text('#calls')).toMatch(/program_run c64-2 [^{]*{[^}]*dropped:again.asm/);
  await desk.page.locator('#all').click();
  const file = { name: 'third.bas', mimeType: 'text/plain', buffer: Buffer.from('10 print 1') };
  await desk.page.locator('.rack input[type="file"]').setInputFiles(file);
  await eventually(() => desk.text('#state')).toMatch(/^c64-3 /);
});

test('the machine that is looked at is there again after a reload', async () => {
  await desk.page.reload();
  await eventually(() => desk.text('#state')).toMatch(/^c64-3 /);
  await desk.page.goBack();
  await card('c64-3').waitFor();
});

test('whatever can be used has a name', async () => {
  expect(await desk.nameless()).toEqual([]);
  await desk.page.locator('#start').click();
  await desk.page.locator('#start-dialog summary').click();
  await desk.page.locator('#option-video').waitFor();
  expect(await desk.nameless()).toEqual([]);
  await desk.page.keyboard.press('Escape');
  await eventually(() => desk.page.locator('#start-dialog').count()).toBe(0);
});

test('who has a machine in their hands is seen by all; agents wait for it, and are told why it comes back', async () => {
  const c64 = { machine: 'c64-1' };
  await desk.take('c64-1');
  await desk.page.locator('#take').click();
  await desk.page.locator('#hand-back').waitFor();
  expect(await desk.call('input_send', { ...c64, text: 'X' })).toMatch(/held by a person, who uses it now/);
  expect(await desk.call('screen_read', c64)).toMatch(/c64-1 RUNNING/);
  const browser = await launchBrowser();
  const other = await patient(await browser.newPage());
  await other.goto(new URL(`/#token=${desk.program.token}`, desk.program.url).href);
  await other.locator('#machines button', { hasText: 'c64-1' }).click();
  await other.getByText('Held by a person.').waitFor();
  await other.locator('#pause').click();
  await told(other, /held by a person/);
  const waiting = desk.call('machine_list', { wait_for: 'c64-1' });
  await desk.page.locator('#hold-note').fill('I have put the disk in');
  await desk.page.locator('#hand-back').click();
  expect(await waiting).toMatch(/gave it back: “I have put the disk in”/);
  expect(await desk.call('input_send', { ...c64, text: 'X' })).toMatch(/typed 1/);
  await other.locator('#take').click();
  await eventually(() => desk.text('#hold')).toMatch(/Held by/);
  await browser.close();
  await eventually(() => desk.text('#hold')).not.toMatch(/Held by/);
});

test('the first load is small, and made of few requests', async () => {
  const answers: Promise<readonly [string, number]>[] = [];
  const hear = (response: Response) => {
    const { pathname } = new URL(response.url());
    if (pathname === '/session') return;
    const sized = response.allHeaders().then((headers) => [pathname, Number(headers['content-length'])] as const);
    answers.push(sized);
  };
  const heard = async () => new Map(await Promise.all(answers));
  const total = async () => [...(await heard()).values()].reduce((sum, size) => sum + size, 0);
  desk.page.on('response', hear);
  await desk.page.goto(new URL('/', desk.program.url).href);
  await desk.page.locator('#machines button').first().waitFor();
  await eventually(total).toBeGreaterThan(10_000);
  desk.page.off('response', hear);
  expect(await total()).toBeLessThan(60_000);
  expect((await heard()).size).toBeLessThanOrEqual(5);
});

test('nothing went wrong in the browser', () => {
  expect(desk.problems).toEqual([]);
});
