import { expect, test } from 'vitest';
import { firstSentence } from './first-sentence.ts';

test.each([
  ['Lists machines', 'Lists machines'],
  ['Reads memory: as bytes; or as text. Then more.', 'Reads memory: as bytes; or as text.'],
  ['Takes a chip, e.g. sid, and reads it. {"chip":"sid"}', 'Takes a chip, e.g. sid, and reads it.'],
  ['Where is it? Says where.', 'Where is it?'],
  ['Two\n  lines. More.', 'Two lines.'],
])('%j begins with %j', (text, sentence) => expect(firstSentence(text)).toBe(sentence));
