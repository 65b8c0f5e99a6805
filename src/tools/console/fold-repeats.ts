/** So many equal lines are shown as they are: two or three tell more than a count. */
const shownRepeats = 3;

export interface FoldedRepeats {
  readonly text: string;
  /** Which line of the original a line of the text was. */
  lineBefore(line: number): number;
}

/** A line that comes again and again becomes one with a count, so that a flood of it hides nothing else. */
export function foldRepeats(text: string): FoldedRepeats {
  const lines = text.split('\n');
  const shown: string[] = [];
  const before: number[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    let end = at + 1;
    while (end < lines.length && lines[end] === line) end++;
    const count = end - at;
    const isFolded = count > shownRepeats && line.trim() !== '';
    for (let n = at; n < (isFolded ? at + 1 : end); n++) {
      shown.push(line);
      before.push(n);
    }
    if (isFolded) {
      shown.push(`[the same line ${(count - 1).toLocaleString('en-US')} more times]`);
      before.push(at + 1);
    }
    at = end;
  }
  return { text: shown.join('\n'), lineBefore: (line) => before[line] ?? lines.length };
}
