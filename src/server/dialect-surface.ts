import { type CallToolResult, ProtocolError, type ProtocolErrorCode } from '@modelcontextprotocol/server';
import { jsonSchemaOf, parseArguments } from '../api/arguments.ts';
import { requireRole, roleOfEffect } from '../api/roles.ts';
import type { FollowedText, JsonSchema, ResourceFamily, ToolHost } from '../api/tool-host.ts';
import { visibleData, visibleText } from '../api/visible.ts';
import { inWordsOf } from '../dialects/advice-names.ts';
import type { Dialect, DialectAnswer, DialectOutput, DialectPushes, DialectTool } from '../dialects/dialect.ts';
import { MachineError } from '../machine/errors.ts';
import { callerOf } from './caller-of.ts';
import { type DialectNames, dialectNames } from './dialect-names.ts';
import { Interest } from './interest.ts';
import { logOf } from './machine-log.ts';
import type { ResourceStream, Surface, SurfaceTool } from './surface.ts';

/** A dialect as a client sees it. `underscore` writes its tools' names without dots. */
export function dialectSurface(dialect: Dialect, host: ToolHost, written: 'dots' | 'underscore'): Surface {
  const names = dialectNames(dialect.tools, written);
  const { output, pushes } = dialect;
  const interest = new Interest();
  if (output) host.keepWhile((machine) => interest.has(output.uri(machine)));
  return {
    instructions: names.text(dialect.instructions),
    tools: dialect.tools.map((tool) => surfaceTool(tool, dialect, host, names)),
    ...(dialect.refuse && { unknownTool: (name: string) => protocolError(refusal(dialect, name, host), names) }),
    resources: [...(output ? [outputFamily(output, host)] : []), ...(pushes ? [pushFamily(pushes)] : [])],
    prompts: [],
    interest,
    audit: (actor, deed) => host.audit(actor, deed),
    onUpdate: (listener) =>
      both(
        host.onChange(({ machine, console }) => {
          if (output && console !== undefined) listener(output.uri(machine));
        }),
        pushes?.onPush(({ uri, data }) => listener(uri, updateOf([data], pushes.logger))),
      ),
    ...(output && { stream: new OutputStream(output, host) }),
    ...(pushes && { stream: new PushStream(pushes) }),
    onLog: (listener) =>
      both(
        logOf(host)(listener),
        pushes?.onPush(({ session, data }) => listener({ level: 'info', logger: pushes.logger, data, session })),
      ),
    onListChange: (listener) => host.onListChange(listener),
    sessionEnded: (session) => {
      pushes?.sessionEnded(session);
      host.sessionEnded(session);
    },
  };
}

function surfaceTool(
  tool: DialectTool,
  { advice, failuresAreResults }: Dialect,
  host: ToolHost,
  names: DialectNames,
): SurfaceTool {
  const { readOnlyHint, destructiveHint } = tool.annotations;
  const role = roleOfEffect[readOnlyHint ? 'read' : destructiveHint ? 'destroy' : 'change'];
  let inputSchema: JsonSchema | undefined;
  return {
    definition: {
      name: names.text(tool.name),
      title: tool.title,
      description: names.text(tool.description),
      get inputSchema() {
        inputSchema ??= jsonSchemaOf(tool.input, true);
        return inputSchema;
      },
      annotations: { title: tool.title, ...tool.annotations },
    },
    role,
    async call(raw, request, server) {
      const caller = { ...callerOf(request, server), via: tool.name };
      try {
        requireRole(caller, role, tool.name);
        const answer = await tool.call(parseArguments(tool.name, tool.input, raw), host, caller);
        host.audit(caller, { tool: tool.name, outcome: 'done' });
        return resultOf(answer);
      } catch (error) {
        const isDenied = error instanceof MachineError && error.type === 'DENIED';
        const why = error instanceof Error ? error.message : String(error);
        host.audit(caller, { tool: tool.name, outcome: isDenied ? 'denied' : 'failed', why });
        if (!(error instanceof MachineError)) throw error;
        const told = inWordsOf(advice, error);
        if (failuresAreResults) return failureOf(told, names);
        throw protocolError(told, names);
      }
    },
  };
}

function protocolError(error: MachineError, names: DialectNames): ProtocolError {
  const data = visibleData(names.data(error.toJSON()));
  return new ProtocolError(error.code as ProtocolErrorCode, visibleText(names.text(error.message)), data);
}

/** Of a tool that the dialect does not have. */
function refusal({ refuse, advice }: Dialect, name: string, host: ToolHost): MachineError {
  try {
    return inWordsOf(advice, refuse?.(name, host) ?? new MachineError('UNKNOWN_TOOL', `Unknown tool ${name}`, ''));
  } catch (error) {
    if (error instanceof MachineError) return inWordsOf(advice, error);
    throw error;
  }
}

function failureOf({ message, fix }: MachineError, names: DialectNames): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: visibleText(names.text(`${message} ${fix}`.trim())) }] };
}

/** Clients that are given structured content show neither text nor images beside it. */
function resultOf({ images, ...fields }: DialectAnswer): CallToolResult {
  // Line ends are kept as they came: other servers' clients know them so.
  const shown = visibleData(fields, '\r');
  const text = { type: 'text' as const, text: JSON.stringify(shown) };
  if (images === undefined) return { content: [text], structuredContent: shown };
  return {
    content: [
      text,
      ...images.map(({ mimeType, base64: data }) => {
        const type = mimeType.startsWith('audio/') ? ('audio' as const) : ('image' as const);
        return { type, mimeType, data };
      }),
    ],
  };
}

function outputFamily({ uri, machineOf }: DialectOutput, host: ToolHost): ResourceFamily {
  const handles = () => host.machines().flatMap(({ handle, consoles }) => (consoles.length > 0 ? [handle] : []));
  return {
    template: { uriTemplate: uri('{vm_name}'), name: 'output', mimeType: 'text/plain' },
    list: () => handles().map((handle) => ({ uri: uri(handle), name: `output of ${handle}`, mimeType: 'text/plain' })),
    read(wanted) {
      const handle = handles().find((each) => uri(each) === wanted);
      if (handle === undefined) return undefined;
      return host.outputOf(handle)?.then((text) => ({ uri: wanted, mimeType: 'text/plain', text }));
    },
    owner: machineOf,
    complete: (_variable, typed) => handles().filter((handle) => handle.startsWith(typed)),
  };
}

/** What consoles print, for each subscriber from where it subscribed on. */
class OutputStream implements ResourceStream {
  readonly #output: DialectOutput;
  readonly #host: ToolHost;
  readonly #followed = new Map<string, FollowedText>();

  constructor(output: DialectOutput, host: ToolHost) {
    this.#output = output;
    this.#host = host;
  }

  begin(uri: string, reader: string): void {
    const machine = this.#output.machineOf(uri);
    if (machine !== undefined) this.#followed.set(keyOf(uri, reader), this.#host.follow(machine));
  }

  async next(uri: string, reader: string) {
    const news = await this.#followed.get(keyOf(uri, reader))?.next();
    if (news === undefined || (news.text === '' && !news.more)) return undefined;
    return { params: this.#output.update(news.text), more: news.more };
  }

  end(uri: string, reader: string): void {
    this.#followed.delete(keyOf(uri, reader));
  }
}

function both(first: () => void, second: (() => void) | undefined): () => void {
  return () => {
    first();
    second?.();
  };
}

/** Clients that know only the standard's parameters of an update still hand its `_meta` on. */
function updateOf(events: readonly unknown[], logger: string): Record<string, unknown> {
  return { events, _meta: { [`${logger}/events`]: events } };
}

/** The last pushes of a client, as JSON. */
function pushFamily(pushes: DialectPushes): ResourceFamily {
  return {
    template: { ...pushes.template, mimeType: 'application/json' },
    list: () => [],
    read(uri) {
      const kept = pushes.since(uri, 0);
      if (kept === undefined) return undefined;
      const events = kept.map(({ number, data }) => ({ number, ...data }));
      return Promise.resolve({ uri, mimeType: 'application/json', text: JSON.stringify({ events }) });
    },
  };
}

/** What was pushed, for each subscriber from where it subscribed on. */
class PushStream implements ResourceStream {
  readonly #pushes: DialectPushes;
  readonly #told = new Map<string, number>();

  constructor(pushes: DialectPushes) {
    this.#pushes = pushes;
  }

  begin(uri: string, reader: string): void {
    this.#told.set(keyOf(uri, reader), this.#pushes.since(uri, 0)?.at(-1)?.number ?? 0);
  }

  async next(uri: string, reader: string) {
    const key = keyOf(uri, reader);
    const news = this.#pushes.since(uri, this.#told.get(key) ?? 0) ?? [];
    const last = news.at(-1);
    if (!last) return undefined;
    this.#told.set(key, last.number);
    return {
      params: updateOf(
        news.map(({ data }) => data),
        this.#pushes.logger,
      ),
      more: false,
    };
  }

  end(uri: string, reader: string): void {
    this.#told.delete(keyOf(uri, reader));
  }
}

function keyOf(uri: string, reader: string): string {
  return JSON.stringify([uri, reader]);
}
