import { expect, test } from 'vitest';
import { SmallPictures } from './small-pictures.ts';

const palette = Uint8Array.of(0, 0, 0, 255, 255, 255);
const board = (first: number) => ({ width: 2, height: 1, pixels: Uint8Array.of(first, 1), palette });

test('what looks as one of the last pictures did is the same file, what differs in a pixel or a colour is not', async () => {
  const small = new SmallPictures(2);
  const drawn = small.draw(board(0));
  const other = small.draw(board(1));
  expect(small.draw(board(0))).toBe(drawn);
  expect(small.draw({ ...board(0), palette: Uint8Array.of(0, 0, 1, 255, 255, 255) })).not.toBe(drawn);
  expect(small.draw({ ...board(0), width: 1, height: 2 })).not.toBe(drawn);
  expect(await other).not.toEqual(await drawn);
});

test('a picture that is drawn on after it was given away is another one', () => {
  const small = new SmallPictures(2);
  const given = board(0);
  const drawn = small.draw(given);
  given.pixels[0] = 1;
  expect(small.draw(given)).not.toBe(drawn);
  expect(small.draw(board(0))).toBe(drawn);
});

test('only the last few are kept', () => {
  const small = new SmallPictures(2);
  const drawn = small.draw(board(0));
  for (let first = 2; first < 6; first++) small.draw(board(first));
  expect(small.draw(board(0))).not.toBe(drawn);
});
