import { type CallToolResult, ProtocolError, type ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Dialect, DialectAnswer, DialectResources, DialectTool } from '../dialects/dialect.ts';
import { MachineError } from '../machine/errors.ts';
import type { Deed } from '../rack/audit.ts';
import { requireRole, roleOfEffect } from '../rack/roles.ts';
import { jsonSchemaOf, parseArguments } from '../tools/input-schema.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import { visibleData, visibleText } from '../tools/visible.ts';
import { callerOf } from './caller-of.ts';
import { Interest } from './interest.ts';
import { logOf } from './machine-log.ts';
import type { ResourceFamily, ResourceStream, Surface, SurfaceTool } from './surface.ts';

/** How long output is gathered before it is announced, so that a flood does not become a flood of messages. */
const gatherMs = 5;

/** A dialect as a client sees it. `underscore` writes its tools' names without dots. */
export function dialectSurface(dialect: Dialect, toolbox: Toolbox, names: 'dots' | 'underscore'): Surface {
  const { resources } = dialect;
  const interest = new Interest();
  if (resources) toolbox.rack.keepWhile((handle) => interest.has(resources.uri(handle)));
  return {
    instructions: dialect.instructions,
    tools: dialect.tools.map((tool) => surfaceTool(tool, toolbox, names, dialect.failuresAreResults === true)),
    resources: resources ? [outputFamily(resources, toolbox)] : [],
    prompts: [],
    interest,
    onUpdate: resources ? updates(resources, toolbox, interest) : () => () => {},
    ...(resources && { stream: streamOf(resources, toolbox) }),
    onLog: logOf(toolbox.rack),
    onListChange: (listener) => toolbox.rack.onChange(listener),
    sessionEnded: (session) => toolbox.rack.forgetSession(session),
  };
}

function surfaceTool(
  tool: DialectTool,
  toolbox: Toolbox,
  names: 'dots' | 'underscore',
  failuresAreResults: boolean,
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
      const caller = callerOf(request, server);
      const audit = (deed: Pick<Deed, 'outcome' | 'why'>) =>
        toolbox.rack.audit.note(caller, { tool: tool.name, ...deed });
      try {
        // Some of these tools reach machines without one of ours in between.
        requireRole(caller, role, tool.name);
        const result = await tool.call(parseArguments(tool.name, tool.input, raw), toolbox, caller);
        audit({ outcome: 'done' });
        return resultOf(result);
      } catch (error) {
        const isDenied = error instanceof MachineError && error.type === 'DENIED';
        audit({ outcome: isDenied ? 'denied' : 'failed', why: error instanceof Error ? error.message : String(error) });
        if (!(error instanceof MachineError)) throw error;
        if (failuresAreResults) return failureOf(error);
        throw new ProtocolError(
          error.code as ProtocolErrorCode,
          visibleText(error.message),
          visibleData(error.toJSON()),
        );
      }
    },
  };
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
    content: [text, ...images.map(({ mimeType, base64: data }) => ({ type: 'image' as const, mimeType, data }))],
  };
}

function outputFamily({ uri, read }: DialectResources, toolbox: Toolbox): ResourceFamily {
  const handles = () => toolbox.rack.machines.map(({ handle }) => handle);
  return {
    template: { uriTemplate: uri('{vm_name}'), name: 'output', mimeType: 'text/plain' },
    list: () => handles().map((handle) => ({ uri: uri(handle), name: `output of ${handle}`, mimeType: 'text/plain' })),
    read(wanted) {
      const handle = handles().find((each) => uri(each) === wanted);
      if (handle === undefined) return undefined;
      return read(handle, toolbox).then((text) => ({ contents: [{ uri: wanted, mimeType: 'text/plain', text }] }));
    },
    complete: (_variable, typed) => handles().filter((handle) => handle.startsWith(typed)),
  };
}

/** Calls back with the address of a console that printed, once for all that it printed in a moment. */
function updates(resources: DialectResources, toolbox: Toolbox, interest: Interest): Surface['onUpdate'] {
  const listeners = new Set<(uri: string) => void>();
  const gathering = new Set<string>();
  toolbox.rack.onOutput((handle) => {
    const uri = resources.uri(handle);
    if (gathering.has(uri) || !interest.has(uri)) return;
    gathering.add(uri);
    setTimeout(() => {
      gathering.delete(uri);
      for (const listener of listeners) listener(uri);
    }, gatherMs).unref();
  });
  return (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
}

/** What a console printed, for each subscriber from where it subscribed on. */
function streamOf(resources: DialectResources, toolbox: Toolbox): ResourceStream {
  const handleOf = (uri: string) => toolbox.rack.machines.find(({ handle }) => resources.uri(handle) === uri)?.handle;
  return {
    begin(uri, reader) {
      const handle = handleOf(uri);
      if (handle !== undefined) resources.begin(handle, reader, toolbox);
    },
    next(uri, reader) {
      const handle = handleOf(uri);
      return handle === undefined ? undefined : resources.update(handle, reader, toolbox);
    },
    end(uri, reader) {
      const handle = handleOf(uri);
      if (handle !== undefined) resources.end(handle, reader, toolbox);
    },
  };
}
