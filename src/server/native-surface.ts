import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ListedTool, ToolHost } from '../api/tool-host.ts';
import { MachineError } from '../machine/errors.ts';
import { type AnswerStyle, callResult } from './call-result.ts';
import { callerOf } from './caller-of.ts';
import type { EmbeddedView } from './embedded-views.ts';
import { instructionsFor } from './instructions.ts';
import { Interest } from './interest.ts';
import { logOf } from './machine-log.ts';
import { requestState } from './mcp-server.ts';
import type { Surface, SurfaceTool } from './surface.ts';

const confirmation = z.object({ confirm: z.boolean().meta({ title: 'Do it' }) });

/** The tools' own surface: what a client sees unless a dialect was asked for. */
export function nativeSurface(host: ToolHost, style: AnswerStyle, views: readonly EmbeddedView[] = []): Surface {
  const { resources } = host;
  const interest = new Interest();
  const concerns = (machine: string, uri: string) => resources.some(({ owner }) => owner?.(uri) === machine);
  host.keepWhile((machine) => interest.some((uri) => concerns(machine, uri)));
  return {
    instructions: instructionsFor(host.toolsets),
    tools: host.tools.map((tool) => surfaceTool(tool, host, style)),
    isListed: (tool) => host.isListed(tool),
    onToolsListed: (listener) => host.onToolsListed(listener),
    unknownTool(name) {
      const { message, fix } = host.unknownTool(name);
      return new ProtocolError(ProtocolErrorCode.InvalidParams, `${message} ${fix}`);
    },
    resources,
    views,
    prompts: [],
    interest,
    audit: (actor, deed) => host.audit(actor, deed),
    onUpdate: (listener) =>
      host.onChange((change) => {
        for (const uri of resources.flatMap(({ changed }) => changed?.(change) ?? [])) listener(uri);
      }),
    onLog: logOf(host),
    onListChange: (listener) => host.onListChange(listener),
    sessionEnded: (session) => host.sessionEnded(session),
  };
}

function surfaceTool(tool: ListedTool, host: ToolHost, style: AnswerStyle): SurfaceTool {
  return {
    definition: {
      name: tool.name,
      title: tool.title,
      description: tool.description,
      get inputSchema() {
        return tool.inputSchema;
      },
      annotations: annotationsOf(tool),
    },
    role: tool.role,
    async call(input, request, server): Promise<CallToolResult | InputRequiredResult> {
      const call = JSON.stringify([tool.name, input]);
      const reply = inputResponse(request.mcpReq.inputResponses, 'confirm');
      if (reply.kind === 'elicit' && reply.action !== 'accept') return refused(reply.action, style);
      const state = request.mcpReq.requestState<{ readonly call: string }>();
      const agreed = acceptedContent(request.mcpReq.inputResponses, 'confirm', confirmation);
      if (agreed?.confirm === false) return refused('decline', style);
      const confirmed = agreed?.confirm === true && state?.call === call;
      const outcome = await host.call(tool.name, input, { ...callerOf(request, server), confirmed });
      if (outcome.type !== 'confirm' || !canElicit(request, server))
        return callResult(outcome, style, wantsJson(input));
      return inputRequired({
        inputRequests: {
          confirm: inputRequired.elicit({ message: outcome.question, requestedSchema: confirmation }),
        },
        requestState: await requestState.mint({ call }),
      });
    },
  };
}

function wantsJson(input: unknown): boolean {
  return typeof input === 'object' && input !== null && 'format' in input && input.format === 'json';
}

/** Only what differs from the values that the protocol assumes: every client pays for each word of the list. */
function annotationsOf(tool: ListedTool) {
  return {
    ...(tool.effect === 'read' && { readOnlyHint: true }),
    ...(tool.effect === 'change' && { destructiveHint: false }),
    ...(tool.idempotent && { idempotentHint: true }),
    ...(!tool.openWorld && { openWorldHint: false }),
  };
}

function refused(action: string, style: AnswerStyle): CallToolResult {
  const error = new MachineError(
    'DENIED',
    `The user answered "${action}"; nothing was done.`,
    'Ask the user what they want instead.',
  );
  return callResult({ type: 'error', error }, style);
}

/** The 2026 protocol sends the capabilities with each request; before it, they were told once. */
function canElicit(request: ServerContext, server: Server): boolean {
  const envelope: Record<string, unknown> = request.mcpReq.envelope ?? {};
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  return typeof capabilities === 'object' && capabilities !== null && 'elicitation' in capabilities;
}
