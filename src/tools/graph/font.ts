/**
 * Characters of five by seven pixels, from the space on: a digit in base 32 for each row, its highest bit on the left.
 * Those that reach below the line have a row more.
 */
const rows = [
  '0000000 4444004 aaa0000 aavavaa 4fke5u4 op248j3 cik8lid 4480000 2488842 8422248 04lel40 044v440',
  '0000c48 000v000 00000cc 01248g0 ehjlphe 4c4444e eh1248v v2421he 26aiv22 vgu11he 68guhhe v124888',
  'ehhehhe ehhf12c 0cc0cc0 0cc0c48 248g842 00v0v00 8421248 eh12404 eh1dlle ehhvhhh uhhuhhu ehggghe',
  'uhhhhhu vgguggv vgguggg ehgnhhf hhhvhhh e44444e 72222ic hikokih ggggggv hrllhhh hhpljhh ehhhhhe',
  'uhhuggg ehhhlid uhhukih fgge11u v444444 hhhhhhe hhhhha4 hhhllla hha4ahh hhha444 v1248gv e88888e',
  '0g84210 e22222e 4ah0000 000000v 8420000 00e1fhf ggmphhu 00egghe 11djhhf 00ehvge 698s888 00fhhf1e',
  'ggmphhh 40c444e 206222ic ggikoki c44444e 00qllhh 00mphhh 00ehhhe 00uhhhug 00fhhhf1 00mpggg 00fge1u',
  '88s8896 00hhhjd 00hhha4 00hhlla 00ha4ah 00hhhf1e 00v248v 2448442 4444444 8442448 008l200',
]
  .join(' ')
  .split(' ');

export const glyphWidth = 5;
export const glyphHeight = 7;

const first = 0x20;
const glyphs = rows.map((digits) => Uint8Array.from(digits, (digit) => Number.parseInt(digit, 32)));
const unknown = Uint8Array.of(31, 17, 17, 17, 17, 17, 31);

/** The rows of a character; a box for what is not ASCII. */
export function glyph(character: string): Uint8Array {
  return glyphs[(character.codePointAt(0) ?? 0) - first] ?? unknown;
}
