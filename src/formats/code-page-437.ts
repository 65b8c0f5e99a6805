const controls = ' ☺☻♥♦♣♠•◘○◙♂♀♪♫☼►◄↕‼¶§▬↨↑↓→←∟↔▲▼';
const ascii = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 0x20 + index));
const high =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

/** What a PC in text mode shows for each byte: pictures for the control codes, blanks for 0 and 255. */
export const glyphs437: readonly string[] = [...`${controls}${ascii}⌂${high.slice(0, -1)} `];

const codes = new Map(Array.from(high, (character, index) => [character, index + 0x80]));

/** Unicode as text of one character per byte; undefined where the code page has no such letter. */
export function toCodePage(character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return character;
  const byte = codes.get(character);
  return byte === undefined ? undefined : String.fromCharCode(byte);
}

/** Text of one character per byte as Unicode. */
export function fromCodePage(text: string): string {
  let result = '';
  for (let i = 0; i < text.length; i++) {
    const byte = text.charCodeAt(i) & 0xff;
    result += byte < 0x80 ? String.fromCharCode(byte) : (high[byte - 0x80] ?? '?');
  }
  return result;
}
