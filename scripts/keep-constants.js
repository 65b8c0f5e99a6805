// esbuild declares everything at the top of its parts with `var`. V8 then has to look up what it could take for granted, such as where
// in the state a register lies, and machines run a fifth slower.
import { readFileSync, writeFileSync } from 'node:fs';

const variable = /^(?:export )?let ([\w$]+)/gm;
const declaration = /^var ([\w$]+?)(\d*) = /gm;

/** Names at the top of such sources that are given other values later. Those of generated ones are all within functions. */
export function variablesIn(paths) {
  const ours = paths.filter((path) => path.endsWith('.ts') && !path.endsWith('.generated.ts'));
  return new Set(ours.flatMap((path) => [...readFileSync(path, 'utf8').matchAll(variable)].map(([, name]) => name)));
}

/** All others are constants again. A name that esbuild had to tell from another ends in a number. */
export function withConstants(text, variables) {
  return text.replaceAll(declaration, (whole, name, number) =>
    variables.has(name) || variables.has(name + number) ? whole : `const ${name}${number} = `,
  );
}

export function keepConstants(paths, variables) {
  for (const path of paths) writeFileSync(path, withConstants(readFileSync(path, 'utf8'), variables));
}
