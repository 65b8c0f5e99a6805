import { expect, test } from 'vitest';
import { originalC64 } from './originals.ts';

test('the originals are known, and the answer names them and their folder', async () => {
  const desk = await originalC64({ boot: false });
  const answer = await desk.call('machine_start', { kind: 'c64', options: { roms: 'auto', boot: false } });
  expect(answer).toMatch(
    /original ROMs from \S+ \(KERNAL \d{6}-\d\d\S*, BASIC 901226-01, character set \d{6}-\d\d\S*\)/,
  );
  expect(answer).toMatch(/Drives are real 1541s(?:,.* and 15\d1s, by the disk)? \(ROMs? \S.* from \S+\)/);
  await desk.close();
});
