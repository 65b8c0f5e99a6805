import type { Actor } from '../api/roles.ts';
import type { Caller, JsonSchema, Outcome, ToolHost } from '../api/tool-host.ts';
import type { OptionSchema, PageCommand, PageEvent, PageOutcome } from './channel.ts';

const mostFileBytes = 32 * 1024 * 1024;
/** Some may be empty. */
const mostFileParts = 8192;

type Request = Extract<
  PageCommand,
  { readonly type: 'call' | 'inspect' | 'entry' | 'kinds' | 'upload' | 'take' | 'handBack' | 'rename' }
>;

/** What a person asks of the server beside using the machine that they watch. */
export class PersonRequests {
  readonly #host: ToolHost;
  readonly #actor: Actor;
  readonly #tell: (event: PageEvent) => void;
  readonly #gone = new AbortController();
  readonly #held = new Set<string>();
  #file: { readonly id: number; readonly parts: Buffer[]; bytes: number } | undefined;

  constructor(host: ToolHost, actor: Actor, tell: (event: PageEvent) => void) {
    this.#host = host;
    this.#actor = actor;
    this.#tell = tell;
  }

  static concerns(command: PageCommand): command is Request {
    return ['call', 'inspect', 'entry', 'kinds', 'upload', 'take', 'handBack', 'rename'].includes(command.type);
  }

  async answer(request: Request): Promise<void> {
    switch (request.type) {
      case 'call': {
        const caller = { ...this.#caller(), confirmed: request.isConfirmed };
        const outcome = await this.#host.call(request.tool, request.arguments, caller);
        return this.#tell({ type: 'answer', id: request.id, outcome: pageOutcome(outcome) });
      }
      case 'inspect': {
        // Whoever waits for an answer gets one: the machine's computer may be away.
        const seen = await this.#host.inspect(request.machine, request.reads, this.#caller()).catch((error) => {
          this.#tell({ type: 'seen', id: request.id });
          throw error;
        });
        const shown = seen && { ...seen, outcomes: seen.outcomes.map(pageOutcome) };
        return this.#tell({ type: 'seen', id: request.id, ...(shown && { seen: shown }) });
      }
      case 'entry': {
        const entry = await this.#host.recorded(request.seq).catch((error) => {
          this.#tell({ type: 'entry', id: request.id });
          throw error;
        });
        return this.#tell({ type: 'entry', id: request.id, ...(entry && { entry }) });
      }
      case 'kinds': {
        const kinds = this.#host.kinds().map((kind) => ({ ...kind, options: optionsOf(kind.options) }));
        return this.#tell({ type: 'kinds', kinds });
      }
      case 'upload':
        return this.#upload(request);
      case 'take':
        await this.#host.take(request.machine, this.#actor);
        // Who has left meanwhile would hold it for ever.
        if (this.#gone.signal.aborted) return this.#host.handBack(request.machine, this.#actor, '');
        this.#held.add(request.machine);
        return;
      case 'handBack':
        this.#held.delete(request.machine);
        return this.#host.handBack(request.machine, this.#actor, request.note);
      case 'rename':
        return this.#host.rename(request.machine, request.title, this.#actor);
    }
  }

  /** The person is gone: what they held is free, what they asked for is not wanted. */
  close(): void {
    this.#gone.abort();
    for (const machine of this.#held) void this.#host.handBack(machine, this.#actor, '').catch(() => {});
  }

  #caller(): Caller {
    return { ...this.#actor, signal: this.#gone.signal, progress: () => {} };
  }

  #upload({ id, name, part, isLast }: Extract<Request, { type: 'upload' }>): void {
    if (this.#file?.id !== id) this.#file = { id, parts: [], bytes: 0 };
    const bytes = Buffer.from(part, 'base64');
    this.#file.bytes += bytes.length;
    const hasRoom = this.#file.bytes <= mostFileBytes && this.#file.parts.length < mostFileParts;
    if (hasRoom) this.#file.parts.push(bytes);
    else this.#file = { id, parts: [], bytes: Number.POSITIVE_INFINITY };
    if (!isLast) return;
    const { parts, bytes: size } = this.#file;
    this.#file = undefined;
    this.#tell({ type: 'answer', id, outcome: size > mostFileBytes ? tooLarge : this.#dropped(name, parts) });
  }

  #dropped(name: string, parts: readonly Buffer[]): PageOutcome {
    try {
      return { type: 'answer', text: this.#host.drop(name, Buffer.concat(parts), this.#actor) };
    } catch (error) {
      return { type: 'error', message: error instanceof Error ? error.message : String(error), fix: '' };
    }
  }
}

const tooLarge: PageOutcome = { type: 'error', message: 'The file is too large.', fix: '' };

function pageOutcome(outcome: Outcome): PageOutcome {
  switch (outcome.type) {
    case 'answer':
      return { type: 'answer', ...outcome.answer };
    case 'error':
      return { type: 'error', message: outcome.error.message, fix: outcome.error.fix };
    case 'confirm':
      return { type: 'confirm', question: outcome.question };
  }
}

function optionsOf({ properties }: JsonSchema): Readonly<Record<string, OptionSchema>> {
  return Object.fromEntries(
    Object.entries(Object(properties) as Record<string, unknown>).map(([name, schema]) => {
      const field = (key: string): unknown => Reflect.get(Object(schema), key);
      const values = field('enum');
      return [
        name,
        {
          type: String(field('type') ?? 'any'),
          description: String(field('description') ?? ''),
          ...(Array.isArray(values) && { values }),
          ...(field('default') !== undefined && { usual: field('default') }),
        },
      ];
    }),
  );
}
