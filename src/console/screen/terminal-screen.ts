import type { ScreenText, StyledScreen, TerminalScreen } from '../../machine/console.ts';
import { advice, call, MachineError } from '../../machine/errors.ts';
import { FeedQueue } from './feed-queue.ts';
import { type ScreenClient, ScreenHost } from './screen-host.ts';
import type { Size } from './screen-messages.ts';

const flushMs = 4;
const flushBytes = 64 * 1024;
const maxInFlightBytes = 256 * 1024;
const historyBytes = 256 * 1024;
const refillBytes = 64 * 1024;
const answerMs = 15_000;

export interface WorkerScreenOptions {
  /** The newest output still kept and the offset of its first byte. */
  history(): { readonly from: number; readonly bytes: Uint8Array };
  readonly columns?: number;
  readonly rows?: number;
  readonly host?: ScreenHost;
}

type Answer = ScreenText | StyledScreen;

interface Waiting {
  /** The output up to here has to be on its way to the worker before the request goes. */
  readonly after: number;
  send(): void;
}

const sharedHost = new ScreenHost();

/**
 * What a terminal on the line would show, drawn in a worker. Costs nothing until it is read for the first time; from
 * then on it follows the output, and never holds it up.
 */
export class WorkerScreen implements TerminalScreen {
  readonly #history: WorkerScreenOptions['history'];
  readonly #host: ScreenHost;
  readonly #client: ScreenClient = { drawn: (bytes) => this.#drawn(bytes), lost: () => this.#lost() };
  #size: Size;
  #number: number | undefined;
  /** Present while the worker holds this screen. */
  #queue: FeedQueue | undefined;
  #inFlightBytes = 0;
  #waiting: Waiting[] = [];
  #flush: NodeJS.Timeout | undefined;
  #skippedBytes = 0;
  #restarts = 0;
  #closed = false;

  constructor(options: WorkerScreenOptions) {
    this.#history = options.history;
    this.#host = options.host ?? sharedHost;
    this.#size = { columns: options.columns ?? 80, rows: options.rows ?? 24 };
  }

  get columns(): number {
    return this.#size.columns;
  }

  get rows(): number {
    return this.#size.rows;
  }

  /** Bytes that were not drawn because output came faster than it can be drawn. */
  get skippedBytes(): number {
    return this.#skippedBytes + (this.#queue?.skippedBytes ?? 0);
  }

  /** How often the picture was lost with its worker and drawn anew from the last output. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Takes note of new output; copies what it keeps. */
  feed(offset: number, bytes: Uint8Array): void {
    if (!this.#queue) return;
    this.#queue.push(offset, bytes);
    if (this.#queue.bytes >= flushBytes) this.#pump();
    else this.#flush ??= setTimeout(() => this.#pump(), flushMs).unref();
  }

  read(): Promise<ScreenText> {
    return this.#twice(() => this.#ask((screen, request) => this.#host.post({ type: 'read', screen, request })));
  }

  async readStyled(scrolledFrom?: number): Promise<StyledScreen> {
    const from = scrolledFrom === undefined ? {} : { scrolledFrom };
    const screen = await this.#twice(() =>
      this.#ask((screen, request) => this.#host.post({ type: 'readStyled', screen, request, ...from })),
    );
    if ('styled' in screen) return screen;
    throw new Error('the screen worker answered without colours');
  }

  async resize(columns: number, rows: number): Promise<void> {
    if (!isWithin(columns, 2, 500) || !isWithin(rows, 1, 200)) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        `A screen of ${columns}x${rows} is not possible; use 2 to 500 columns and 1 to 200 rows.`,
        'Give a size such as 80x24 or 132x50.',
      );
    }
    this.#size = { columns, rows };
    // A screen that is not drawn yet gets its size when it is.
    if (!this.#queue) return;
    await this.#twice(() =>
      this.#ask((screen, request) => this.#host.post({ type: 'resize', screen, request, columns, rows })),
    );
  }

  /** Blank again: what came before is not drawn any more. */
  restart(): void {
    if (this.#number !== undefined) this.#host.post({ type: 'close', screen: this.#number });
    this.#forget();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#forget();
    if (this.#number === undefined) return;
    const number = this.#number;
    this.#number = undefined;
    await this.#host.leave(number);
  }

  /** A worker that died under a request is replaced once; a second death is an answer. */
  async #twice(ask: () => Promise<Answer>): Promise<Answer> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof MachineError) throw error;
    }
    try {
      return await ask();
    } catch (error) {
      if (error instanceof MachineError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new MachineError(
        'UNAVAILABLE',
        `The screen could not be drawn: ${reason}. It was restarted once and failed again.`,
        [advice`Read the output as text instead: ${call('console_read', { view: 'text' })}.`, advice`Try again later.`],
        {},
        { cause: error },
      );
    }
  }

  async #ask(post: (screen: number, request: number) => void): Promise<Answer> {
    if (this.#closed) throw closedError();
    this.#number ??= this.#host.join(this.#client);
    const screen = this.#number;
    await this.#host.start();
    if (this.#closed) throw closedError();
    const queue = this.#queue ?? this.#open(screen);
    const { request, answer } = this.#host.request();
    this.#waiting.push({ after: queue.end, send: () => post(screen, request) });
    this.#pump();
    return withDeadline(answer, () => this.#inFlightBytes + queue.bytes);
  }

  #open(screen: number): FeedQueue {
    const { from, bytes } = this.#history();
    const tail = bytes.subarray(-(this.#restarts > 0 ? refillBytes : historyBytes));
    const start = from + bytes.length - tail.length;
    const queue = new FeedQueue(start);
    queue.push(start, tail);
    this.#queue = queue;
    this.#host.post({ type: 'open', screen, ...this.#size });
    return queue;
  }

  /** Sends what may go: output as long as the worker keeps up, and each request after the output it asks about. */
  #pump(): void {
    clearTimeout(this.#flush);
    this.#flush = undefined;
    const queue = this.#queue;
    const screen = this.#number;
    if (!queue || screen === undefined) return;
    while (true) {
      const next = this.#waiting[0];
      if (next && queue.start >= next.after) {
        this.#waiting.shift();
        next.send();
        continue;
      }
      const batch = this.#inFlightBytes < maxInFlightBytes ? queue.take() : undefined;
      if (!batch) return;
      this.#inFlightBytes += batch.bytes.length;
      this.#host.post({ type: 'feed', screen, ...batch }, transferable(batch.bytes));
    }
  }

  #drawn(bytes: number): void {
    this.#inFlightBytes -= bytes;
    this.#pump();
  }

  #lost(): void {
    if (this.#queue) this.#restarts += 1;
    this.#forget();
  }

  #forget(): void {
    clearTimeout(this.#flush);
    this.#flush = undefined;
    this.#skippedBytes = this.skippedBytes;
    this.#queue = undefined;
    this.#inFlightBytes = 0;
    this.#waiting = [];
  }
}

function closedError(): MachineError {
  return new MachineError('WRONG_STATE', 'This screen is closed: its machine was stopped.', 'Start the machine again.');
}

function isWithin(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}

function transferable(bytes: Uint8Array): ArrayBuffer[] {
  return bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [];
}

/** A worker that lives but has too much to draw must not keep its reader for ever. */
function withDeadline(answer: Promise<Answer>, behindBytes: () => number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(() => {
      const message = `The screen is not drawn yet: about ${behindBytes()} bytes of output are still to be processed.`;
      reject(new MachineError('BUSY', message, 'Try again in a few seconds, or read the output as text.'));
    }, answerMs);
    answer.then(resolve, reject).finally(() => clearTimeout(deadline));
  });
}
