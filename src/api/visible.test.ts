import { expect, test } from 'vitest';
import { visibleJson, visibleText } from './visible.ts';

test('of all characters those are written out that leave no mark, and no others', () => {
  const hidden = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
  const wrong: string[] = [];
  for (let code = 0; code <= 0x2ffff; code++) {
    const character = String.fromCodePoint(code);
    const isHidden = hidden.test(character) && !'\n\t'.includes(character);
    const [text, json] = [visibleText(`a${character}b`), visibleJson(`"${character}"`)];
    if (isHidden !== (text !== `a${character}b`) || isHidden !== (json !== `"${character}"`))
      wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});
