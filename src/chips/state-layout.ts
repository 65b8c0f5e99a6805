/** One named thing in a machine's buffer: `length` items of `width` bytes each. */
export interface StateField {
  readonly name: string;
  readonly offset: number;
  readonly width: 1 | 4 | 8;
  readonly length: number;
}

/** What a part asks for: bytes of memory, or words with the table that names them. */
export type StateRequest =
  | { readonly bytes: number }
  | { readonly doubles: readonly string[] }
  | {
      readonly words: number;
      readonly fields: Readonly<Record<string, number>>;
      readonly lengths?: Readonly<Record<string, number>>;
    };

/** Where everything lies. `fields` names each word as `part.field`; memories carry the name of the part alone. */
export interface StateLayout<Part extends string> {
  readonly byteLength: number;
  readonly offsets: Readonly<Record<Part, number>>;
  readonly fields: readonly StateField[];
}

/** Places the parts one behind the other, each at a multiple of 8 bytes. */
export function layOutState<Part extends string>(parts: Readonly<Record<Part, StateRequest>>): StateLayout<Part> {
  const offsets: Partial<Record<Part, number>> = {};
  const fields: StateField[] = [];
  let end = 0;
  for (const part of Object.keys(parts) as Part[]) {
    const request = parts[part];
    const offset = end;
    offsets[part] = offset;
    if ('bytes' in request) {
      fields.push({ name: part, offset, width: 1, length: request.bytes });
      end += request.bytes;
    } else if ('doubles' in request) {
      request.doubles.forEach((name, index) => {
        fields.push({ name: `${part}.${name}`, offset: offset + index * 8, width: 8, length: 1 });
      });
      end += request.doubles.length * 8;
    } else {
      for (const [name, index] of Object.entries(request.fields)) {
        const length = request.lengths?.[name] ?? 1;
        fields.push({ name: `${part}.${name}`, offset: offset + index * 4, width: 4, length });
      }
      end += request.words * 4;
    }
    end = (end + 7) & ~7;
  }
  return { byteLength: end, offsets: offsets as Record<Part, number>, fields };
}
