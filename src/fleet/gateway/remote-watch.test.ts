import { afterEach, expect, test } from 'vitest';
import type { Viewer, WatchedSound } from '../../api/watch.ts';
import { decodeMessage, encodeMessage, type Message } from '../wire/message.ts';
import { RemoteWatch } from './remote-watch.ts';

const sounds: WatchedSound[] = [];
let take: (message: Message) => void;
const nothing = () => {};
const viewer: Viewer = {
  isReady: () => true,
  isLooking: () => true,
  sound: (sound) => sounds.push(sound),
  ...{ picture: nothing, terminal: nothing, input: nothing, typing: nothing, trouble: nothing },
};
const watch = new RemoteWatch(viewer, (taken) => {
  take = taken;
  return { send: nothing, close: nothing, memory: undefined, isClosed: false };
});
afterEach(() => watch.close());

test('sound arrives as it was sent, whatever lies before it in its message', () => {
  const samples = Int16Array.of(1, -2, 300, -32_768);
  const body = new Uint8Array(samples.buffer);
  for (const more of ['', 'x', 'xx', 'xxx']) {
    take(decodeMessage(encodeMessage({ t: 'sound', sampleRate: 44_100, bytes: body.length, more }, body)));
  }
  expect(sounds).toEqual(Array.from({ length: 4 }, () => ({ sampleRate: 44_100, samples })));
});

test('half a sample is none', () => {
  sounds.length = 0;
  take({ head: { t: 'sound', sampleRate: 8000, bytes: 3 }, body: Uint8Array.of(5, 0, 7) });
  expect(sounds).toEqual([{ sampleRate: 8000, samples: Int16Array.of(5) }]);
});
