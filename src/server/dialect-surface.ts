import { type CallToolResult, ProtocolError, type ProtocolErrorCode } from '@modelcontextprotocol/server';
import { jsonSchemaOf, parseArguments } from '../api/arguments.ts';
import { requireRole, roleOfEffect } from '../api/roles.ts';
import type { FollowedText, ResourceFamily, ToolHost } from '../api/tool-host.ts';
import { visibleData, visibleText } from '../api/visible.ts';
import { inWordsOf } from '../dialects/advice-names.ts';
import type { Dialect, DialectAnswer, DialectOutput, DialectTool } from '../dialects/dialect.ts';
import { MachineError } from '../machine/errors.ts';
import { callerOf } from './caller-of.ts';
import { Interest } from './interest.ts';
import { logOf } from './machine-log.ts';
import type { ResourceStream, Surface, SurfaceTool } from './surface.ts';

/** A dialect as a client sees it. `underscore` writes its tools' names without dots. */
export function dialectSurface(dialect: Dialect, host: ToolHost, names: 'dots' | 'underscore'): Surface {
  const { output } = dialect;
  const interest = new Interest();
  if (output) host.keepWhile((machine) => interest.has(output.uri(machine)));
  return {
    instructions: dialect.instructions,
    tools: dialect.tools.map((tool) => surfaceTool(tool, dialect, host, names)),
    ...(dialect.refuse && { unknownTool: (name: string) => protocolError(refusal(dialect, name, host)) }),
    resources: output ? [outputFamily(output, host)] : [],
    prompts: [],
    interest,
    audit: (actor, deed) => host.audit(actor, deed),
    onUpdate: (listener) =>
      host.onChange(({ machine, console }) => {
        if (output && console !== undefined) listener(output.uri(machine));
      }),
    ...(output && { stream: new OutputStream(output, host) }),
    onLog: logOf(host),
    onListChange: (listener) => host.onListChange(listener),
    sessionEnded: (session) => host.sessionEnded(session),
  };
}

function surfaceTool(
  tool: DialectTool,
  { advice, failuresAreResults }: Dialect,
  host: ToolHost,
  names: 'dots' | 'underscore',
): SurfaceTool {
  const { readOnlyHint, destructiveHint } = tool.annotations;
  const role = roleOfEffect[readOnlyHint ? 'read' : destructiveHint ? 'destroy' : 'change'];
  return {
    definition: {
      name: names === 'underscore' ? tool.name.replaceAll('.', '_') : tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: jsonSchemaOf(tool.input, true),
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
        if (failuresAreResults) return failureOf(told);
        throw protocolError(told);
      }
    },
  };
}

function protocolError(error: MachineError): ProtocolError {
  return new ProtocolError(error.code as ProtocolErrorCode, visibleText(error.message), visibleData(error.toJSON()));
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

function failureOf({ message, fix }: MachineError): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: visibleText(`${message} ${fix}`.trim()) }] };
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

function keyOf(uri: string, reader: string): string {
  return JSON.stringify([uri, reader]);
}
