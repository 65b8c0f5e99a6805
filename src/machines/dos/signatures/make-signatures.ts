import type { ObjectModule, ObjectSegment } from '../../../formats/omf/read-omf.ts';
import { comparedBytes, fewestBytes, hashOf, headOf, mostBytes, type Signature } from './signature.ts';

/** A function that as many others are alike is none to be known by. */
const mostNames = 4;

type Open = { -readonly [Name in keyof Signature]: Signature[Name] };

/** Gathers the functions of libraries. */
export class SignatureMaker {
  readonly #libraries: string[] = [];
  readonly #found = new Map<string, Open>();

  get libraries(): readonly string[] {
    return this.#libraries;
  }

  add(library: string, modules: readonly ObjectModule[]): void {
    const known = this.#libraries.indexOf(library);
    const number = known >= 0 ? known : this.#libraries.push(library) - 1;
    for (const module of modules) {
      module.segments.forEach((segment, index) => {
        for (const { name, offset, end } of functionsIn(module, index)) this.#take(number, name, segment, offset, end);
      });
    }
  }

  signatures(): readonly Signature[] {
    return [...this.#found.values()].filter(({ names }) => names.length <= mostNames);
  }

  #take(library: number, name: string, { bytes, unknown }: ObjectSegment, offset: number, end: number): void {
    const length = Math.min(end - offset, mostBytes);
    const code = bytes.subarray(offset, offset + length);
    const gaps = gapsIn(unknown.subarray(offset, offset + length));
    if (length < 1 || comparedBytes({ length, gaps }) < fewestBytes) return;
    const signature = { length, gaps, head: headOf(code, gaps), hash: hashOf(code, length, gaps) };
    const key = `${signature.hash} ${length} ${gaps.join()}`;
    const same = this.#found.get(key);
    if (!same) this.#found.set(key, { ...signature, names: [name], of: [library] });
    else {
      if (!same.names.includes(name)) same.names = [...same.names, name];
      if (!same.of.includes(library)) same.of = [...same.of, library];
    }
  }
}

/** From each name to the next; and the start of a program, which has none. */
function functionsIn({ publics, segments, start, name: module }: ObjectModule, segment: number) {
  const size = segments[segment]?.bytes.length ?? 0;
  const named = publics.filter((each) => each.segment === segment && each.offset < size);
  const isNamed = named.some(({ offset }) => offset === start?.offset);
  const unnamed =
    start?.segment === segment && !isNamed ? [{ name: `start_${plain(module)}`, offset: start.offset }] : [];
  const all = [...named, ...unnamed].sort((a, b) => a.offset - b.offset);
  const offsets = [...new Set(all.map(({ offset }) => offset)), size];
  return all.map(({ name, offset }) => ({
    name: plain(name),
    offset,
    end: offsets.find((next) => next > offset) ?? size,
  }));
}

/** What fits into a line and into a name. */
function plain(name: string): string {
  const last = name.slice(Math.max(name.lastIndexOf('\\'), name.lastIndexOf('/')) + 1);
  return last.replace(/[^\w$@?.]/g, '_').slice(0, 80) || '_';
}

function gapsIn(unknown: Uint8Array): readonly (readonly [number, number])[] {
  const gaps: [number, number][] = [];
  unknown.forEach((value, at) => {
    if (value === 0) return;
    const last = gaps.at(-1);
    if (last && last[0] + last[1] === at) last[1]++;
    else gaps.push([at, 1]);
  });
  return gaps;
}
