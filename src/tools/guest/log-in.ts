import type { ConsolePort } from '../../machine/console.ts';
import { advice, call, type ErrorType, type Fix, MachineError } from '../../machine/errors.ts';
import type { Pattern } from '../console/pattern-search.ts';
import { plainOutput } from '../console/plain-output.ts';
import { runCommand } from '../console/shell-run.ts';
import { type WaitResult, waitForOutput } from '../console/wait-for-output.ts';
import { bootFailures, type Prompt, passwordChange, promptIn, refusals } from './boot-signs.ts';

/** A prompt is one when nothing comes after it for this long. */
const settleMs = 400;
/** How long the rest of a line may take. */
const lineMs = 2000;
/** A system that was sent a name or Enter and shows nothing new after this long is sent it again. */
const patienceMs = 5_000;
/** A prompt that was there before may be of a system that is gone: it has to come again. */
const staleMs = 1_000;
/** Silence after which Enter is pressed: somebody else may have read the prompt. Boot loaders count down more often. */
const silenceMs = 10_000;
const tailBytes = 2048;

export interface LoginRequest {
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** How the shell's prompt ends, where it is not as others do. */
  readonly ownPrompt: string | undefined;
  readonly failPatterns: readonly Pattern[];
  /** Ring offset from which the boot is read. */
  readonly from: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  progress(message: string): void;
}

export interface LoginResult {
  /** `name`: it asks for one, and none was given. `prompt`: of something else. `waiting`: time was up. */
  readonly state: 'shell' | 'name' | 'prompt' | 'waiting';
  /** Who the shell says it runs as. */
  readonly user?: string | undefined;
  readonly text: string;
  readonly elapsedMs: number;
}

type Sent = 'name' | 'password' | 'enter';

/** Waits until the system on a console has booted, and answers its questions until a shell is there. */
export class LoginDialogue {
  readonly #port: ConsolePort;
  readonly #request: LoginRequest;
  readonly #began = performance.now();
  readonly #deadline: number;
  readonly #firstEnd: number;
  #text = '';
  #offset: number;
  /** What was sent last, when, and where the ring ends with the echo of it. */
  #sent: { readonly what: Sent; readonly at: number; readonly end: number } | undefined;
  #lastEnd: number;
  #lastChange = performance.now();
  /** A line that looked like a shell's. */
  #notShell: string | undefined;

  constructor(port: ConsolePort, request: LoginRequest) {
    this.#port = port;
    this.#request = request;
    this.#deadline = this.#began + request.timeoutMs;
    this.#offset = request.from;
    this.#firstEnd = port.output.end;
    this.#lastEnd = this.#firstEnd;
  }

  async run(): Promise<LoginResult> {
    let lastLine = '';
    while (performance.now() < this.#deadline && !this.#request.signal.aborted) {
      await this.#judge(await this.#listen());
      lastLine = lastLineOf(plainOutput(this.#port.output, tailBytes));
      const result = await this.#answer(promptIn(lastLine, this.#request.ownPrompt), lastLine);
      if (result) return result;
      this.#request.progress(`${Math.round((performance.now() - this.#began) / 1000)} s, at ${lastLine.slice(-60)}`);
    }
    return this.#result(this.#notShell !== undefined && this.#notShell === lastLine ? 'prompt' : 'waiting');
  }

  async #listen(): Promise<WaitResult> {
    const entering = this.#sent && this.#sent.what !== 'enter';
    const wait = await waitForOutput(this.#port, {
      from: this.#offset,
      failPatterns: [
        ...bootFailures.map(({ pattern }) => pattern),
        ...this.#request.failPatterns,
        ...(entering ? [refusals] : []),
      ],
      quietMs: settleMs,
      timeoutMs: Math.min(patienceMs, Math.max(0, this.#deadline - performance.now())),
      signal: this.#request.signal,
    });
    this.#text += wait.text;
    this.#offset = wait.nextOffset;
    if (this.#port.output.end > this.#lastEnd) this.#lastChange = performance.now();
    this.#lastEnd = this.#port.output.end;
    return wait;
  }

  async #judge({ reason, match }: WaitResult): Promise<void> {
    if (reason === 'link_ended') {
      throw this.#failure(
        'UNAVAILABLE',
        'The console has ended: the machine is off.',
        advice`See why with ${call('events_read')}.`,
      );
    }
    if (reason !== 'fail_match' || !match) return;
    const said = `${match.text}${await this.#restOfLine()}`.trim().slice(0, 200);
    if (match.pattern === refusals) {
      throw this.#failure('DENIED', `It does not let ${this.#request.user} in: ${said}`, 'Try another password.');
    }
    const meaning = bootFailures[match.index]?.meaning;
    const what = meaning === undefined ? `This appeared: ${said}` : `The boot has failed, ${meaning}: ${said}`;
    throw this.#failure(
      'EXECUTION_ERROR',
      what,
      advice`See what came before with ${call('console_read', { from: 'start' })}.`,
    );
  }

  /** The reason of a failure comes last in its line, which may still be on its way. */
  async #restOfLine(): Promise<string> {
    const { text } = await waitForOutput(this.#port, {
      from: this.#offset,
      patterns: [{ regex: '\\n' }],
      quietMs: settleMs,
      timeoutMs: lineMs,
      signal: this.#request.signal,
    });
    return text.split('\n', 1)[0] ?? '';
  }

  /** Does what the prompt asks for; a result ends the dialogue. */
  async #answer(prompt: Prompt, lastLine: string): Promise<LoginResult | undefined> {
    const { user, password } = this.#request;
    const { what, at = this.#began, end = 0 } = this.#sent ?? {};
    const isNew = this.#port.output.end > end;
    const waitedMs = performance.now() - at;
    if (passwordChange.test(lastLine)) {
      throw this.#failure(
        'DENIED',
        `The guest requires a password change: ${lastLine}`,
        advice`Answer it with ${call('console_send')}.`,
      );
    }
    if (prompt !== undefined && what === undefined && this.#port.output.end === this.#firstEnd) {
      if (waitedMs > staleMs) await this.#send('enter', '');
    } else if (prompt === 'shell') {
      if (isNew && lastLine !== this.#notShell) return this.#greet(lastLine);
    } else if (prompt === 'name') {
      if (user === undefined) return this.#result('name');
      if (what === 'password' && isNew) {
        throw this.#failure(
          'DENIED',
          `The login of ${user} failed: the guest asks for a name again.`,
          'Try another password.',
        );
      }
      if (what !== 'name' || waitedMs > patienceMs) await this.#send('name', user);
    } else if (what === 'name' && (prompt === 'password' || (prompt === 'question' && waitedMs > patienceMs / 2))) {
      if (password === undefined) {
        throw this.#failure('INVALID_ARGUMENT', `The guest asks for a password: ${lastLine}`, 'Give "password".');
      }
      await this.#send('password', password);
    } else if (this.#wantsEnter(prompt, waitedMs)) await this.#send('enter', '');
    return undefined;
  }

  /** Also at a password prompt that belongs to a name of somebody else's. */
  #wantsEnter(prompt: Prompt, waitedMs: number): boolean {
    if (prompt === 'enter' || prompt === 'password') return this.#sent?.what !== 'password' && waitedMs > settleMs;
    return prompt === undefined && performance.now() - this.#lastChange > silenceMs;
  }

  /** A shell is one that runs a command. */
  async #greet(lastLine: string): Promise<LoginResult | undefined> {
    const { user, signal } = this.#request;
    const timeoutMs = Math.max(patienceMs, Math.min(2 * patienceMs, this.#deadline - performance.now()));
    const { exitCode, output } = await runCommand(this.#port, 'id -un', { timeoutMs, signal });
    if (exitCode === undefined) {
      this.#notShell = lastLine;
      return undefined;
    }
    const name = exitCode === 0 ? output.trim() : undefined;
    const isOwn = this.#sent !== undefined && this.#sent.what !== 'enter';
    if (name !== undefined && user !== undefined && name !== user && !isOwn) {
      const message = `${name} is logged in already, at the prompt ${JSON.stringify(lastLine)}.`;
      throw this.#failure(
        'WRONG_STATE',
        message,
        advice`Leave it with ${call('console_send', { text: 'exit' })} and try again.`,
      );
    }
    return this.#result('shell', name);
  }

  async #send(what: Sent, text: string): Promise<void> {
    const bytes = new TextEncoder().encode(`${text}\r`);
    // The echo of a name and of Enter is nothing new.
    const echo = what === 'name' ? bytes.length + 1 : 2;
    this.#sent = { what, at: performance.now(), end: this.#port.output.end + echo };
    this.#lastChange = performance.now();
    const timeoutMs = Math.max(1000, this.#deadline - performance.now());
    const { refused } = await this.#port.write(bytes, { mode: 'retry', timeoutMs, signal: this.#request.signal });
    if (refused === 0) return;
    throw this.#failure(
      'LINK_DOWN',
      'The console takes no input.',
      advice`See its state with ${call('machine_list')}.`,
    );
  }

  #result(state: LoginResult['state'], user?: string): LoginResult {
    return { state, user, text: this.#text, elapsedMs: Math.round(performance.now() - this.#began) };
  }

  #failure(type: ErrorType, message: string, fix: Fix): MachineError {
    return new MachineError(type, message, fix, { output: this.#text.slice(-1500), untrusted: true });
  }
}

/** Messages of the kernel that came after a prompt do not hide it. */
function lastLineOf(text: string): string {
  const withoutMessages = text.replace(/\[ *\d{1,6}\.\d{6}\] [^\n]*(?:\n|$)/g, '');
  return withoutMessages.split('\n').at(-1) ?? '';
}
