import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { within } from '../harness/clock.ts';
import { type Caller, checkedResult, type Message, type Request } from './requests.ts';

/** JSON-RPC on a program's standard streams, as bare as can be: what is measured is the program. */
export class LinesClient implements Caller {
  readonly #child: ChildProcessWithoutNullStreams;
  #text = '';
  #line: (line: string) => void = () => {};

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    child.stderr.resume();
    child.stdout.setEncoding('utf8').on('data', (text: string) => this.#receive(text));
  }

  /** Sends and waits for the answer; lines that answer nothing are skipped. */
  async request(message: Request): Promise<unknown> {
    const answered = new Promise<string>((resolve) => {
      this.#line = (line) => {
        if (line.includes(`"id":${message.id}`)) resolve(line);
      };
    });
    this.notify(message);
    return checkedResult(await within(20_000, 'answer on stdio', answered));
  }

  notify(message: Message): void {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.stdin.end();
    await gone;
  }

  #receive(text: string): void {
    this.#text += text;
    for (let end = this.#text.indexOf('\n'); end >= 0; end = this.#text.indexOf('\n')) {
      const line = this.#text.slice(0, end);
      this.#text = this.#text.slice(end + 1);
      this.#line(line);
    }
  }
}
