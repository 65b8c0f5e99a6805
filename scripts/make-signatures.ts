import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { OmfError, readOmf } from '../src/formats/omf/read-omf.ts';
import { SignatureMaker } from '../src/machines/dos/signatures/make-signatures.ts';
import { writeBook } from '../src/machines/dos/signatures/signature-book.ts';

/**
 * Makes signatures of library functions from folders with .LIB and .OBJ files of compilers for DOS:
 * `npm run signatures -- OUT.sig "Borland C++ 3.1=DIR" …`. With an OUT that ends in .ts, what the package brings along.
 */
const usage = 'usage: npm run signatures -- OUT.sig "NAME=FOLDER" …';
const [out, ...folders] = process.argv.slice(2);
if (out === undefined || folders.length === 0) throw new Error(usage);

const maker = new SignatureMaker();
for (const text of folders) {
  const [, name, folder] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || folder === undefined) throw new Error(usage);
  for (const file of readdirSync(folder)
    .filter((each) => /\.(lib|obj)$/i.test(each))
    .sort()) {
    try {
      maker.add(`${name}, ${parse(file).name.toLowerCase()}`, readOmf(readFileSync(join(folder, file))));
    } catch (error) {
      if (!(error instanceof OmfError)) throw error;
      console.error(`${file}: ${error.message}`);
    }
  }
}
const signatures = maker.signatures();
const book = writeBook(maker.libraries, signatures);
if (out.endsWith('.ts')) {
  const packed = brotliCompressSync(book).toString('base64');
  const head =
    '/** Made by scripts/make-signatures.ts: hashes and names of library functions, packed. No code is in it. */';
  writeFileSync(out, `${head}\nexport const shippedSignatures =\n  '${packed}';\n`);
} else writeFileSync(out, book);
console.log(
  `${signatures.length} functions of ${maker.libraries.length} libraries, ${book.length} characters, in ${out}`,
);
