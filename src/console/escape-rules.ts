/**
 * Control sequences that make a terminal answer, print, or change the person's desktop, by final byte: with which
 * private prefix or intermediate bytes they do. From the control sequence list of xterm.
 */
const harmfulCsi: Readonly<Record<string, 'any' | readonly string[]>> = {
  c: 'any', // DA1, DA2, DA3
  n: 'any', // DSR, CPR
  t: 'any', // window operations and reports, title modes
  i: 'any', // media copy: printing
  p: ['$', '?$'], // DECRQM
  q: ['>'], // XTVERSION
  x: [''], // DECREQTPARM
  y: 'any', // DECRQCRA, DECTST
  u: ['?', '$', '&'], // keyboard query, DECRQTSR, DECRQUPSS
  w: ['$', "'"], // DECRQPSR, DECEFR
  v: ['"'], // DECRQDE
  S: ['?'], // XTSMGRAPHICS
  R: ['#'], // XTREPORTCOLORS
  m: ['?'], // XTQMODKEYS
  g: ['?'], // XTQFMTKEYS
  z: ['*', "'"], // DECINVM, DECELR
  '|': ["'", '#', '&'], // DECRQLP, XTREPORTSGR, DECRQLP of the VT330
};

/** `sequence` from its introducer (ESC [, 9B, or C2 9B) to its final byte. */
export function isHarmlessCsi(sequence: readonly number[]): boolean {
  const text = String.fromCharCode(...sequence);
  const body = text.slice(text.startsWith('\x9b') ? 1 : 2, -1);
  const marks = body.replaceAll(/[0-9:;]/g, '');
  const harmful = harmfulCsi[text.at(-1) ?? ''] ?? [];
  return harmful !== 'any' && !harmful.includes(marks);
}

/** `sequence` from ESC to its final byte. Dropped: DECID (ESC Z), and ST (ESC \) that ends a string we dropped. */
export function isHarmlessEscape(sequence: readonly number[]): boolean {
  if (sequence.length !== 2) return true;
  const final = sequence[1];
  return final !== 0x5a && final !== 0x5c;
}
