import type { Annotation as FileAnnotation } from '../../../formats/commodore/symbols/annotation.ts';
import type { Annotation, AnnotationsCapability } from '../../../machine/annotations.ts';

const reach = 256;

/** JSON. */
export interface SourceAnnotation extends FileAnnotation {
  readonly source: string;
}

/** The annotations of everything that is loaded, each known by the file that it came with. */
export class AnnotationIndex implements AnnotationsCapability {
  readonly #most: () => number;
  #entries: readonly SourceAnnotation[] = [];

  /** Keeps no more than this. */
  constructor(most: () => number) {
    this.#most = most;
  }

  list(): readonly Annotation[] {
    return this.#entries.map(shown);
  }

  nearest(address: bigint): Annotation | undefined {
    const at = Number(address);
    let best: SourceAnnotation | undefined;
    for (const entry of this.#entries) {
      if (entry.address === undefined || entry.address > at) break;
      if (entry.address !== best?.address) best = entry;
    }
    return best?.address !== undefined && at - best.address <= reach ? shown(best) : undefined;
  }

  /** Replaces what was known from this source; how many there was no room for. */
  load(source: string, annotations: readonly FileAnnotation[]): number {
    this.unload(source);
    const room = Math.max(0, this.#most() - this.#entries.length);
    const kept = annotations.slice(0, room).map((each) => ({ ...each, source }));
    this.#entries = inOrder([...this.#entries, ...kept]);
    return annotations.length - kept.length;
  }

  unload(source: string): void {
    this.#entries = this.#entries.filter((entry) => entry.source !== source);
  }

  /** Another program lies in this range now. */
  drop(first: number, last: number, isKept: (source: string) => boolean): void {
    this.#entries = this.#entries.filter(
      ({ address = -1, source }) => address < first || address > last || isKept(source),
    );
  }

  /** For a snapshot. */
  save(): readonly SourceAnnotation[] {
    return this.#entries;
  }

  restore(saved: readonly SourceAnnotation[]): void {
    this.#entries = inOrder(saved.slice(0, this.#most()));
  }
}

function inOrder(entries: readonly SourceAnnotation[]): readonly SourceAnnotation[] {
  const nowhere = 0x10000;
  return entries.toSorted((a, b) => (a.address ?? nowhere) - (b.address ?? nowhere));
}

function shown({ type, description, address, label, file, line }: SourceAnnotation): Annotation {
  return {
    type,
    description,
    ...(address !== undefined && { address: BigInt(address) }),
    ...(label !== undefined && { label }),
    file,
    line,
  };
}
