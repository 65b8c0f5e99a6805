import { expect, test } from 'vitest';
import type { Outcome } from '../api/tool-host.ts';
import { callResult } from './call-result.ts';

const image = { mimeType: 'image/png', base64: 'iVBORw0KGgo=' };
const data = { machine: 'c64-1' };
const seen: Outcome = { type: 'answer', answer: { text: 'the screen', data, images: [image] } };
const said: Outcome = { type: 'answer', answer: { text: 'the state', data } };

test('structured content is sent where it was asked for, but never beside an image, which clients would drop', () => {
  const content = [
    { type: 'text', text: 'the screen' },
    { type: 'image', mimeType: 'image/png', data: image.base64 },
  ];
  expect(callResult(seen, { structured: true, omitImages: false })).toEqual({ content });
  expect(callResult(said, { structured: true, omitImages: false })).toEqual({
    content: [{ type: 'text', text: 'the state' }],
    structuredContent: data,
  });
  expect(callResult(said, { structured: false, omitImages: false })).not.toHaveProperty('structuredContent');
});

test('an image that is left out leaves a line of text', () => {
  const { content } = callResult(seen, { structured: false, omitImages: true });
  expect(content[1]).toEqual({ type: 'text', text: '[image/png left out: --image-responses omit]' });
});
