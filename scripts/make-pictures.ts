/** Takes the pictures of the docs from the product itself: `npm run pictures`. Needs a build, Debian's Chromium, QEMU and VICE. */
import { mkdir, readFile } from 'node:fs/promises';
import { Desk } from '../test/page/desk.ts';
import { makeKindPictures } from './pictures/kind-pictures.ts';

const folder = 'docs/pictures';

/** A DOS program with a loop, a subroutine and a branch: prints five signs. */
const branches = 'B90500 E80700 E2FB B8004C CD21 F6C101 7404 B22A EB02 B22E B402 CD21 C3';

await mkdir(folder, { recursive: true });
await using desk = await Desk.open('--demo', '--allow-commands');
const { page } = desk;
const shoot = (name: string) => page.screenshot({ path: `${folder}/${name}.png` });
const open = (pane: string) => page.locator('.pane-bar button', { hasText: new RegExp(`^${pane}$`) }).click();
const hasPicture = () => page.locator('#screen[data-painted]').waitFor();
const toTop = () => page.evaluate('scrollTo(0, 0)');

await page.emulateMedia({ colorScheme: 'dark' });
await desk.call('machine_start', { kind: 'dos' });
await desk.call('program_run', { machine: 'dos-1', bytes: branches.replaceAll(' ', ''), start: true });
await desk.call('run', { machine: 'dos-1', frames: 60 });
await desk.call('machine_start', { kind: 'vic20' });
await desk.call('input_send', { machine: 'vic20-1', text: 'PRINT 6502*2\n' });
await desk.call('machine_start', { kind: 'qemu', name: 'pc', options: { memory: 32 } });
await desk.call('run', { machine: 'pc', screen_text: '/boot/i', timeout_ms: 30_000 });
await desk.visit();
await page.locator('.card canvas[data-painted]').nth(3).waitFor();
await page.locator('.card[data-machine="c64-1"]').hover();
await shoot('overview');

await desk.take('pc');
await hasPicture();
await toTop();
await shoot('qemu');

await desk.take('dos-1');
await hasPicture();
await open('Functions');
await open('Graph');
await page.locator('.pane-graph img').waitFor();
await toTop();
await shoot('graph');

await desk.call('machine_start', { kind: 'c64', name: 'raster' });
await desk.call('run', { machine: 'raster', screen_text: 'READY.' });
const source = await readFile('examples/raster-bar.asm', 'utf8');
await desk.call('program_run', { machine: 'raster', source });
await desk.call('run', { machine: 'raster', frames: 20 });
await desk.call('run', { machine: 'raster', condition: 'raster_line == 120' });
await page.emulateMedia({ colorScheme: 'light' });
await desk.take('raster');
await hasPicture();
await open('Memory');
await page.locator('.pane-code li.next').waitFor();
await page.locator('.pane-memory .bytes div').first().waitFor();
await page.locator('#machines').hover();
await toTop();
await shoot('workbench');

await desk.call('run', { machine: 'raster', frames: 100 });
await desk.call('snapshot_save', { machine: 'raster', name: 'half' });
await desk.call('run', { machine: 'raster', frames: 100 });
await page.locator('.mark.snapshot').click();
await page.locator('#past').waitFor();
await page.locator('.pane-film').screenshot({ path: `${folder}/film.png` });
await page.locator('#film-now').click();

const command = ['socat', '-', 'EXEC:busybox sh,pty,setsid,ctty,stderr,sane'];
await desk.call('machine_start', { kind: 'console', name: 'box', options: { command } });
await desk.call('console_send', { machine: 'box', text: 'vi notes.txt', expect: 'notes.txt' });
await desk.call('console_send', { machine: 'box', text: 'iHello from the agent', eol: 'none', keys: ['esc'] });
await desk.take('box', '#terminal');
await page.locator('#terminal', { hasText: 'Modified' }).waitFor();
await toTop();
await shoot('console');

const viewport = { width: 390, height: 844 };
const phone = await desk.another({ viewport, hasTouch: true, isMobile: true, colorScheme: 'dark' });
await phone.goto(new URL(`/?token=${desk.program.token}`, desk.program.url).href);
await phone.locator('#machines button', { hasText: 'c64-1' }).click();
await phone.locator('#screen[data-painted]').waitFor();
await phone.evaluate('scrollTo(0, 0)');
await phone.screenshot({ path: `${folder}/phone.png` });

await makeKindPictures(folder, desk.sandbox.dir);
