import type { Decoded, DecodedPart } from './decoded-chip.ts';

interface Characters {
  /** Of one: `8x8`. */
  readonly pixels: string;
  /** Which ones the picture of all shows. */
  readonly all: string;
  character(code: number): Decoded;
  charset(): Decoded;
}

/** Characters as a video chip would fetch them now, one by one and together. */
export function characterParts({ pixels, all, character, charset }: Characters): readonly DecodedPart[] {
  return [
    {
      name: 'character',
      count: 256,
      description: `the ${pixels} pixels of one screen code`,
      hasPicture: true,
      decode: character,
    },
    {
      name: 'charset',
      count: 1,
      description: `${all}, 16 to a row`,
      hasPicture: true,
      decode: charset,
    },
  ];
}
