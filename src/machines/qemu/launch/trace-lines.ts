/** Addresses in QEMU's own memory, of any host; guests' addresses are smaller, or those of kernels. */
const hostAddress = /\b0x[0-9a-f]{11,12}\b/g;
const lowestHostAddress = 2 ** 44;
const maxHeldChars = 4096;

/** Picks the lines of tracepoints out of QEMU's log. What they say of QEMU's own memory is nobody's business. */
export class TraceLines {
  readonly #names: ReadonlySet<string>;
  readonly #tell: (line: string) => void;
  #held = '';

  constructor(names: readonly string[], tell: (line: string) => void) {
    this.#names = new Set(names);
    this.#tell = tell;
  }

  /** Returns what is to be shown: whole lines. */
  take(text: string): string {
    const all = this.#held + text;
    const end = all.length > maxHeldChars && !all.includes('\n') ? all.length : all.lastIndexOf('\n') + 1;
    this.#held = all.slice(end);
    return all.slice(0, end).replaceAll(/[^\n]+/g, (line) => this.#line(line));
  }

  #line(line: string): string {
    if (!this.#names.has(line.slice(0, line.search(/ |$/)))) return line;
    const shown = line.replaceAll(hostAddress, (address) => (Number(address) < lowestHostAddress ? address : '0x…'));
    this.#tell(shown);
    return shown;
  }
}
