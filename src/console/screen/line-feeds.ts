/**
 * A line feed moves a terminal's cursor down and nothing else; programs without an operating system often send nothing
 * but that at the end of a line. As long as nobody has sent both, the one stands for the two.
 */
export class LineFeeds {
  #sawBoth = false;
  #afterReturn = false;

  pass(text: string): string {
    if (this.#sawBoth || text === '') return text;
    let passed = '';
    let from = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
      if (at === 0 ? this.#afterReturn : text[at - 1] === '\r') {
        this.#sawBoth = true;
        break;
      }
      passed += `${text.slice(from, at)}\r\n`;
      from = at + 1;
    }
    this.#afterReturn = text.endsWith('\r');
    return passed + text.slice(from);
  }

  reset(): void {
    this.#sawBoth = false;
    this.#afterReturn = false;
  }
}
