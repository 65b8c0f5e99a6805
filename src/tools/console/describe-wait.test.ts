import { expect, test } from 'vitest';
import { describeEnd, describeLink, waitData } from './describe-wait.ts';
import type { WaitResult } from './wait-for-output.ts';

const wait: WaitResult = {
  reason: 'stopped',
  text: '',
  droppedChars: 0,
  nextOffset: 0,
  lostBytes: 0,
  elapsedMs: 2000,
  link: 'up',
  linkLosses: 0,
};

test.each<[WaitResult['link'], number, string]>([
  ['up', 0, ''],
  ['up', 2, '; the link was lost 2× meanwhile'],
  ['down', 0, '; the link is down'],
  ['connecting', 1, '; the link was lost 1× meanwhile and is connecting'],
  ['ended', 1, '; the link was lost 1× meanwhile and has ended'],
])('a link that is %s and was lost %i times', (link, linkLosses, text) => {
  expect(describeLink({ link, linkLosses })).toBe(text);
});

test('however a wait ended, a link that was lost is told', () => {
  for (const reason of ['quiet', 'timeout', 'stopped', 'cancelled'] as const) {
    expect(describeEnd({ ...wait, reason, linkLosses: 1 })).toMatch(/the link was lost 1× meanwhile$/);
  }
  expect(waitData(0, { ...wait, link: 'down', linkLosses: 1 }, 100)).toMatchObject({ link: 'down', link_losses: 1 });
});
