import { expect, test } from 'vitest';
import { omfModule } from '../../../formats/omf/omf-testing.ts';
import { readOmf } from '../../../formats/omf/read-omf.ts';
import { isSure, KnownSignatures } from './known-signatures.ts';
import { SignatureMaker } from './make-signatures.ts';
import { mostBytes } from './signature.ts';
import { SignatureBook, writeBook } from './signature-book.ts';

/** push bp; mov bp,sp; call ?; … different for each. */
const body = (seed: number, length = 40) =>
  Array.from({ length }, (_, at) => [0x55, 0x8b, 0xec, 0xe8][at] ?? (at * 7 + seed) & 0xff);

function bookOf(add: (maker: SignatureMaker) => void): string {
  const maker = new SignatureMaker();
  add(maker);
  return writeBook(maker.libraries, maker.signatures());
}

/** The same code as a linker leaves it. */
function linked(code: readonly number[], at: number): Uint8Array {
  const bytes = Uint8Array.from([...code, ...new Array<number>(mostBytes).fill(0xcc)]);
  bytes.set([0x34, 0x12], at);
  return bytes;
}

test('a function is known again wherever it was linked to, by all that stays as it is', async () => {
  const text = bookOf((maker) => maker.add('C 1.0, small', readOmf(omfModule(body(1), { _f: 0 }, [4]))));
  expect(text).not.toContain('558bec');
  const book = new SignatureBook();
  expect(await book.add(text)).toBe(true);
  expect(book.recognise(linked(body(1), 4))).toEqual({ names: ['_f'], libraries: ['C 1.0, small'], bytes: 38 });
  expect(book.recognise(linked(body(2), 4))).toBeUndefined();
  const changed = linked(body(1), 4);
  changed[39] = (changed[39] ?? 0) ^ 1;
  expect(book.recognise(changed)).toBeUndefined();
  expect(book.recognise(linked(body(1), 4).subarray(0, 20))).toBeUndefined();
});

test('gaps among the first bytes, several names, libraries that share a function, the start of a program', async () => {
  const code = [0xb8, 0, 0, ...body(5, 30)];
  const text = bookOf((maker) => {
    maker.add('small', readOmf(omfModule(code, { _a: 0, _b: 0 }, [1], 3)));
    maker.add('large', readOmf(omfModule(code.slice(0, 3 + 30), { _a: 0 }, [1], 3)));
    // Too short to be anything.
    maker.add('large', readOmf(omfModule([0x90, 0xc3], { _tiny: 0 })));
  });
  const book = new SignatureBook();
  await book.add(text);
  expect(text).not.toContain('_tiny');
  expect(book.recognise(linked(code.slice(3), 25))).toBeUndefined();
  expect(book.recognise(Uint8Array.from([...code.slice(3), 0, 0]))).toMatchObject({ names: ['start_m.c'] });
});

test('what is no book, or a line of none, is left out', async () => {
  const book = new SignatureBook();
  expect(await book.add('hello')).toBe(false);
  const [title = '', ...lines] = bookOf((maker) => maker.add('x', readOmf(omfModule(body(1), { _f: 0 }, [4])))).split(
    '\n',
  );
  expect(await book.add([title, 'a b c', '_x 999999999 1*99999999999 AAABBBBBBB 0', ...lines].join('\n'))).toBe(true);
  expect(book.recognise(linked(body(1), 4))?.names).toEqual(['_f']);
});

test('those of the package are read, with those of the user, and the library that fits most is named', async () => {
  const both = omfModule(body(1), { _f: 0 }, [4]);
  const text = bookOf((maker) => {
    maker.add('one', readOmf(both));
    maker.add('two', readOmf(both));
    maker.add('two', readOmf(omfModule(body(9), { _g: 0 }, [4])));
  });
  const known = new KnownSignatures(async () => [text]);
  const found = await known.recognise([linked(body(1), 4), linked(body(9), 4), linked(body(3), 4)]);
  expect(found.map((each) => each?.of)).toEqual(['two', 'two', undefined]);
  expect(found[0] && isSure(found[0])).toBe(true);
  const { shippedSignatures } = await import('./shipped-signatures.generated.ts');
  expect(shippedSignatures.length).toBeGreaterThan(100_000);
});
