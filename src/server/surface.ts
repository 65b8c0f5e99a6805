import type {
  CallToolResult,
  GetPromptResult,
  InputRequiredResult,
  Prompt,
  ProtocolError,
  Server,
  ServerContext,
  Tool,
} from '@modelcontextprotocol/server';
import type { Actor, Role } from '../api/roles.ts';
import type { Deed, ResourceFamily } from '../api/tool-host.ts';
import type { EmbeddedView } from './embedded-views.ts';
import type { Interest } from './interest.ts';
import type { News } from './outbox.ts';

/** Everything a client can see of this server: the tools' own surface, or a dialect's. */
export interface Surface {
  readonly instructions: string;
  /** Everything that can be called. */
  readonly tools: readonly SurfaceTool[];
  /** Whether a tool is in the list, where that changes. */
  isListed?(tool: string): boolean;
  /** Calls back when more tools are listed. */
  onToolsListed?(listener: () => void): () => void;
  /** How a call of a tool is refused that there is not, where that is not as usual. */
  unknownTool?(name: string): ProtocolError;
  readonly resources: readonly ResourceFamily[];
  /** Pages for clients that show them beside answers. */
  readonly views?: readonly EmbeddedView[];
  readonly prompts: readonly SurfacePrompt[];
  /** What clients are subscribed to; whoever serves them keeps it true. */
  readonly interest: Interest;
  /** Writes into the log of who did what; tools write there themselves. */
  audit(actor: Partial<Actor>, deed: Deed): void;
  /** Calls back with the address of each resource that has changed. */
  onUpdate(listener: (uri: string, params?: Readonly<Record<string, unknown>>) => void): () => void;
  /** Updates that carry more than their address. */
  readonly stream?: ResourceStream;
  /** What belonged to a client is not needed any more. */
  sessionEnded?(session: string): void;
  /** Calls back with what happened to machines, for clients that want the log. */
  onLog(listener: (entry: LogEntry) => void): () => void;
  /** Calls back when the list of resources is another one. */
  onListChange(listener: () => void): () => void;
}

export interface LogEntry {
  readonly level: 'info' | 'warning' | 'error';
  readonly logger: string;
  readonly data: unknown;
  /** Only for the client of this session, whatever level it wants. */
  readonly session?: string;
}

export interface SurfaceTool {
  readonly definition: Tool;
  /** Who has less cannot use it at all. */
  readonly role: Role;
  call(input: unknown, request: ServerContext, server: Server): Promise<CallToolResult | InputRequiredResult>;
}

export interface SurfacePrompt {
  readonly definition: Prompt;
  get(args: Record<string, string>, request: ServerContext): Promise<GetPromptResult | InputRequiredResult>;
  complete?(argument: string, typed: string): readonly string[];
}

/** Resources whose updates carry what is new, for each reader from where it subscribed on. */
export interface ResourceStream {
  begin(uri: string, reader: string): void;
  /** Nothing when there is nothing new. */
  next(uri: string, reader: string): Promise<News | undefined>;
  end(uri: string, reader: string): void;
}

export interface ResourceUpdate {
  readonly uri: string;
  readonly [extra: string]: unknown;
}
