/** `npm run suite:binmon -- x64sc`: sends a VICE (a C64 of it) and our own binary monitor the same bytes, and says where answers differ. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DebugDesk } from '../test/ide/debug-desk.ts';
import { BinmonClient } from '../test/support/binmon-client.ts';
import { converse } from '../test/support/binmon-conversation.ts';
import { RealVice } from '../test/support/real-vice.ts';

const program = process.argv[2];
if (program === undefined) {
  console.error('Name a VICE program: npm run suite:binmon -- x64sc');
  process.exit(2);
}
const dir = mkdtempSync(join(tmpdir(), 'binmon-'));
try {
  await using vice = await RealVice.start(dir, program);
  await using desk = await DebugDesk.open('--allow-debuggers');
  using client = await BinmonClient.open(await desk.start('c64', 'binmon'));
  const [theirs, ours] = [await converse(vice.client), await converse(client)];
  let different = 0;
  for (let index = 0; index < Math.max(theirs.length, ours.length); index++) {
    if (theirs[index] === ours[index]) continue;
    different++;
    console.log(`${program}: ${theirs[index] ?? 'nothing'}\nours: ${ours[index] ?? 'nothing'}\n`);
  }
  console.log(`${ours.length} messages, ${different} different`);
  process.exitCode = different === 0 ? 0 : 1;
} finally {
  rmSync(dir, { recursive: true });
}
