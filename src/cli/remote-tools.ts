import { z } from 'zod';
import type { Endpoint } from '../host/server-record.ts';
import type { ToolAnswer, ToolServer, ToolSummary } from './call-command.ts';
import { post } from './post.ts';
import { UsageError } from './usage-error.ts';

const protocolVersion = '2026-07-28';

const toolList = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      title: z.string().optional(),
      description: z.string().optional(),
      inputSchema: z.looseObject({ type: z.literal('object') }),
    }),
  ),
});

const callAnswer = z.object({
  isError: z.boolean().default(false),
  content: z.array(
    z.looseObject({
      type: z.string(),
      text: z.string().optional(),
      data: z.string().optional(),
      mimeType: z.string().optional(),
    }),
  ),
});

/** The tools of a server that runs elsewhere, one stateless request each. */
export class RemoteTools implements ToolServer {
  readonly #url: string;
  readonly #token: string | undefined;
  readonly #certificate: string | undefined;
  readonly #version: string;

  constructor({ url, token, certificate }: Endpoint, version: string) {
    this.#url = url;
    this.#token = token;
    this.#certificate = certificate;
    this.#version = version;
  }

  async list(): Promise<ToolSummary[]> {
    return toolList.parse(await this.#request('tools/list', {}, undefined, { 'frontpanel/allTools': true })).tools;
  }

  async call(name: string, args: Record<string, unknown>): Promise<ToolAnswer> {
    const { content, isError } = callAnswer.parse(await this.#request('tools/call', { name, arguments: args }, name));
    const texts = content.flatMap(({ type, text = '' }) => (type === 'text' ? [text] : []));
    const images = content.flatMap(({ type, data = '', mimeType = '' }) =>
      type === 'image' ? [{ data, mimeType }] : [],
    );
    return { text: texts.join('\n'), isError, images };
  }

  async close(): Promise<void> {}

  async #request(
    method: string,
    params: Record<string, unknown>,
    name?: string,
    own: Record<string, unknown> = {},
  ): Promise<unknown> {
    const meta = {
      ...own,
      'io.modelcontextprotocol/protocolVersion': protocolVersion,
      'io.modelcontextprotocol/clientInfo': { name: 'frontpanel command line', version: this.#version },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const { status, text } = await post(this.#url, {
      certificate: this.#certificate,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': protocolVersion,
        'mcp-method': method,
        ...(name !== undefined && { 'mcp-name': name }),
        ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
    }).catch((error: Error) => {
      throw new UsageError([`No server answers at ${this.#url}: ${error.cause ?? error.message}`]);
    });
    const reply = z
      .object({ result: z.unknown().optional(), error: z.object({ message: z.string() }).optional() })
      .safeParse(parseJson(text));
    const trouble = reply.success ? reply.data.error?.message : `HTTP ${status}, not MCP`;
    if (trouble !== undefined) throw new UsageError([`The server at ${this.#url} says: ${trouble}`]);
    return reply.data?.result;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
