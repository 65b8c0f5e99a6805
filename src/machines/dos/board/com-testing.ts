/** A place in a program, or a reference to one: as a word, or relative to what follows in a byte or a word. */
type Piece =
  | number
  | string
  | { readonly label: string }
  | { readonly word: string; readonly plus?: number }
  | { readonly near: string }
  | { readonly short: string };
type Part = Piece | readonly Part[];

const origin = 0x100;

export const label = (name: string): Part => ({ label: name });
/** The offset of a label. */
export const at = (name: string, plus = 0): Part => ({ word: name, plus });
export const near = (name: string): Part => ({ near: name });
export const short = (name: string): Part => ({ short: name });
export const word = (value: number): Part => [value & 0xff, (value >> 8) & 0xff];

/** Bytes of a COM file: opcodes by number, text as it is, labels where addresses are wanted. */
export function com(parts: readonly Part[], start = origin): Uint8Array {
  const flat = flatten(parts);
  const places = new Map<string, number>();
  const pass = () => {
    const bytes: number[] = [];
    const place = (name: string) => places.get(name) ?? start;
    const put = (value: number) => bytes.push(value & 0xff, (value >> 8) & 0xff);
    for (const part of flat) {
      const here = start + bytes.length;
      if (typeof part === 'number') bytes.push(part);
      else if (typeof part === 'string') bytes.push(...Buffer.from(part, 'latin1'));
      else if ('label' in part) places.set(part.label, here);
      else if ('word' in part) put(place(part.word) + (part.plus ?? 0));
      else if ('near' in part) put(place(part.near) - here - 2);
      else bytes.push((place(part.short) - here - 1) & 0xff);
    }
    return bytes;
  };
  pass();
  return Uint8Array.from(pass());
}

function flatten(parts: readonly Part[]): Piece[] {
  return parts.flatMap((part) => (isList(part) ? flatten(part) : [part]));
}

function isList(part: Part): part is readonly Part[] {
  return Array.isArray(part);
}

/** mov ax,value / int 21h */
export const dos = (ax: number): Part => [0xb8, word(ax), 0xcd, 0x21];
/** mov ax,4C00h+code / int 21h */
export const exit = (code = 0): Part => dos(0x4c00 | code);
/** mov dx,offset / mov ah,9 / int 21h */
export const print = (name: string): Part => [0xba, at(name), 0xb4, 0x09, 0xcd, 0x21];
/** mov dx,handler / mov ax,25xxh / int 21h */
export const hook = (interrupt: number, handler: string): Part => [0xba, at(handler), dos(0x2500 | interrupt)];
/** mov ax,35xxh / int 21h / mov [name],bx / mov [name+2],es */
export const keepVector = (interrupt: number, name: string): Part => [
  dos(0x3500 | interrupt),
  [0x89, 0x1e, at(name), 0x8c, 0x06, at(name, 2)],
];
/** mov dx,paragraphs / mov ax,3100h / int 21h */
export const stay = (paragraphs = 0x40): Part => [0xba, word(paragraphs), dos(0x3100)];
