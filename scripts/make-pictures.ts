/** Takes the pictures of the docs from the product itself: `npm run pictures`. Needs a build and Debian's Chromium. */
import { mkdir } from 'node:fs/promises';
import { Desk } from '../test/page/desk.ts';

const folder = 'docs/pictures';

await mkdir(folder, { recursive: true });
await using desk = await Desk.open('--demo');
await desk.call('machine_start', { kind: 'dos', options: { clock: 'real' } });
await desk.call('input_send', { machine: 'dos-1', text: 'ver\ndir\n' });
await desk.call('machine_start', { kind: 'vic20', options: { clock: 'real' } });
await desk.call('input_send', { machine: 'vic20-1', text: 'PRINT 6502*2\n' });
await desk.visit();
await desk.page.locator('canvas').first().waitFor();
await desk.page.waitForTimeout(3000);
await desk.page.screenshot({ path: `${folder}/page.png` });
