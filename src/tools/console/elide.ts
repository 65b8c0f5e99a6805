export interface Elided {
  readonly text: string;
  /** UTF-16 units left out; 0 when everything is there. */
  readonly omittedChars: number;
  /** Line ends within what was left out. */
  readonly omittedLines: number;
  /** How many whole lines stand before the gap: the gap begins on this line, counted from 0. */
  readonly headLines: number;
  /** How many characters of that line stand before the gap. */
  readonly headColumn: number;
}

/**
 * Shortens text to `maxChars`: the first third, a line that counts exactly what is missing, and the end. Cuts at line
 * ends where one is near. `hint` says how to get the rest and becomes part of that line.
 */
export function elide(text: string, maxChars: number, hint = ''): Elided {
  if (text.length <= maxChars) return { text, omittedChars: 0, omittedLines: 0, headLines: 0, headColumn: 0 };
  const markLength = mark(text.length, text.length, hint).length;
  const room = Math.max(0, maxChars - markLength);
  const headEnd = headCut(text, Math.floor(room / 3));
  const tailStart = tailCut(text, text.length - (room - Math.floor(room / 3)));
  const omitted = text.slice(headEnd, tailStart);
  const omittedLines = countLineEnds(omitted);
  return {
    text: text.slice(0, headEnd) + mark(omitted.length, omittedLines, hint) + text.slice(tailStart),
    omittedChars: omitted.length,
    omittedLines,
    headLines: countLineEnds(text.slice(0, headEnd)),
    headColumn: headEnd - (text.slice(0, headEnd).lastIndexOf('\n') + 1),
  };
}

/** The line that stands for what was left out. */
function mark(chars: number, lines: number, hint: string): string {
  return `\n[… ${count(chars, 'character')}, ${count(lines, 'line')} left out${hint && `; ${hint}`} …]\n`;
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}

function headCut(text: string, at: number): number {
  const lineEnd = text.lastIndexOf('\n', at - 1) + 1;
  if (at > 0 && lineEnd >= at * 0.75) return lineEnd;
  return splitsPair(text, at) ? at - 1 : at;
}

function tailCut(text: string, at: number): number {
  const lineStart = text.indexOf('\n', at - 1) + 1;
  if (lineStart > 0 && lineStart - at <= (text.length - at) * 0.25) return lineStart;
  return splitsPair(text, at) ? at + 1 : at;
}

/** Whether a cut at `at` would divide a surrogate pair. */
export function splitsPair(text: string, at: number): boolean {
  return at > 0 && at < text.length && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
}

export function countLineEnds(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
