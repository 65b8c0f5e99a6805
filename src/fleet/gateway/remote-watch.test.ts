import { afterEach, expect, test } from 'vitest';
import type { Viewer, WatchedSound } from '../../api/watch.ts';
import { decodeMessage, encodeMessage, type Message } from '../wire/message.ts';
import { pictureOf, RemoteWatch } from './remote-watch.ts';

const sounds: WatchedSound[] = [];
let take: (message: Message) => void;
const nothing = () => {};
const viewer: Viewer = {
  isReady: () => true,
  isLooking: () => true,
  sound: (sound) => sounds.push(sound),
  ...{ picture: nothing, terminal: nothing, input: nothing, typing: nothing, trouble: nothing },
};
const sent: unknown[] = [];
let away: string | undefined;
const watch = new RemoteWatch(
  viewer,
  (taken) => {
    take = taken;
    const send = ({ t, action }: Record<string, unknown>) => void (t === 'act' && sent.push(action));
    return { send, close: nothing, memory: undefined, isClosed: false };
  },
  () => away,
);
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

test('while the host is away nothing is pressed, and all that is let go comes up', async () => {
  const keys = (...down: string[]) => ({ type: 'keys', keys: down }) as const;
  const stick = (...directions: string[]) => ({ type: 'joystick', port: 2, directions }) as const;
  for (const action of [keys('a', 'b'), stick('up', 'fire')]) void watch.act(action).catch(nothing);
  sent.length = 0;
  away = 'Host lab1 does not answer.';
  await expect(watch.act(keys('a', 'b', 'c'))).rejects.toThrow('lab1');
  await expect(watch.act(keys('b', 'c'))).rejects.toThrow('lab1');
  await expect(watch.act({ type: 'type', text: 'x' })).rejects.toThrow('lab1');
  for (const action of [stick('up'), keys(), { type: 'stopTyping' } as const]) void watch.act(action).catch(nothing);
  await expect(watch.act(keys('c'))).rejects.toThrow('lab1');
  expect(sent).toEqual([keys('b'), stick('up'), keys(), { type: 'stopTyping' }]);
});

test.each([
  ['larger than it is', { width: 60_000, height: 60_000, palette: 3 }],
  ['of half a pixel', { width: 1.5, height: 2, palette: 3 }],
  ['of no size', { palette: 3 }],
])('a picture that says to be %s is none', (_what, head) => {
  const body = new Uint8Array(6);
  expect(pictureOf({ width: 1, height: 3, palette: 3 }, body).pixels).toHaveLength(3);
  expect(() => pictureOf(head, body)).toThrow();
});
