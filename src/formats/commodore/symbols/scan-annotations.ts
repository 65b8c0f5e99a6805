import { type Annotation, annotationIn } from './annotation.ts';
import type { FileLine, FileSymbol } from './symbol-file.ts';

const labelForm = /^\s*([A-Za-z_.@][\w.@]*):|^([A-Za-z_.@]\w*)\s*(?:$|[\s;])/;

/**
 * Finds the `@mcp-` annotations of a source text. A comment on a line of its own belongs to the next label, one after code to
 * its line. With symbols and lines of the same program they get addresses.
 */
export function scanAnnotations(
  source: string,
  file: string,
  program: { readonly symbols?: readonly FileSymbol[]; readonly lines?: readonly FileLine[] } = {},
): Annotation[] {
  const addresses = new Map((program.symbols ?? []).map(({ name, address }) => [name, address]));
  const ofLine = new Map(
    (program.lines ?? []).filter((line) => sameFile(line.file, file)).map(({ line, address }) => [line, address]),
  );
  const found: Annotation[] = [];
  const waiting: Annotation[] = [];
  let label: string | undefined;
  const place = (annotation: Annotation, line: number) => {
    const address = ofLine.get(line) ?? (label === undefined ? undefined : addresses.get(label));
    found.push({
      ...annotation,
      ...(label === undefined ? {} : { label }),
      ...(address === undefined ? {} : { address }),
    });
  };
  for (const [index, text] of source.split(/\r\n|\n|\r/).entries()) {
    const number = index + 1;
    const code = text.replace(/(;|\/\/).*$/, '');
    const annotation = annotationIn(text);
    if (annotation) waiting.push({ ...annotation, file, line: number });
    if (code.trim() === '') continue;
    const [, withColon, inColumnOne] = labelForm.exec(code) ?? [];
    label = withColon ?? inColumnOne ?? label;
    for (const one of waiting.splice(0)) place(one, number);
  }
  for (const one of waiting) place(one, one.line);
  return found;
}

const sameFile = (a: string, b: string): boolean => a.split(/[\\/]/).at(-1) === b.split(/[\\/]/).at(-1);
