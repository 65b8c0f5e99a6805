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
  | { readonly doubles: readonly [string, ...string[]] }
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

/** There is at least one. */
type Doubles = Float64Array & Record<0, number>;

type StateView<Request extends StateRequest> = Request extends { readonly bytes: number }
  ? Uint8Array
  : Request extends { readonly doubles: readonly string[] }
    ? Doubles
    : Int32Array;

/** Each part of a buffer under its name, as what it asked for. */
export type StateViews<Parts extends Readonly<Record<string, StateRequest>>> = {
  readonly [Part in keyof Parts]: StateView<Parts[Part]>;
};

/** A layout that gives every part its view of a buffer. */
export interface ViewedLayout<Parts extends Readonly<Record<string, StateRequest>>>
  extends StateLayout<keyof Parts & string> {
  views(buffer: ArrayBufferLike): StateViews<Parts>;
}

/** Places the parts one after the other, each at a multiple of 8 bytes. */
export function layOutState<Parts extends Readonly<Record<string, StateRequest>>>(parts: Parts): ViewedLayout<Parts> {
  type Part = keyof Parts & string;
  const offsets: Partial<Record<Part, number>> = {};
  const fields: StateField[] = [];
  let end = 0;
  for (const [part, request] of Object.entries(parts) as [Part, StateRequest][]) {
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
  const placed = offsets as Record<Part, number>;
  const views = (buffer: ArrayBufferLike) =>
    Object.fromEntries(Object.entries(parts).map(([part, request]) => [part, viewOf(request, buffer, placed[part])]));
  return { byteLength: end, offsets: placed, fields, views: (buffer) => views(buffer) as StateViews<Parts> };
}

function viewOf(request: StateRequest, buffer: ArrayBufferLike, offset: number | undefined) {
  if ('bytes' in request) return new Uint8Array(buffer, offset, request.bytes);
  if ('doubles' in request) return new Float64Array(buffer, offset, request.doubles.length);
  return new Int32Array(buffer, offset, request.words);
}
