import { expect, test } from 'vitest';
import { Desk } from './desk.ts';

test('without its ROM there is no 1541, and the answer says what would help', async () => {
  const desk = new Desk();
  expect(await desk.call('machine_start', { kind: 'c64', options: { roms: 'own', drives: '1541' } })).toMatch(
    /No ROM of a 1541 was found\.\nFix: Put dos1541/,
  );
  await desk.close();
});
