import { ProtocolError } from '@modelcontextprotocol/client';
import { expect, vi } from 'vitest';
import { HttpProgram } from '../support/http-program.ts';
import { httpClient, type McpClient, stdioClient } from '../support/mcp-client.ts';
import { Sandbox } from '../support/sandbox.ts';

/** The ways to a server: both transports, both eras of the protocol. */
export const ways = ['stdio', 'http'] as const;
export type Way = (typeof ways)[number];

export interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A server with the dialect and a real client at it. */
export class ViceDesk implements AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly client: McpClient;
  readonly server: HttpProgram | undefined;

  /** `stdio` speaks the 2025 protocol, `http` that of 2026. */
  static async open(way: Way, machine = 'c64', ...more: readonly string[]): Promise<ViceDesk> {
    const sandbox = await Sandbox.open();
    const args = ['--dialect', 'vice', '--machine', machine, '--allow-path', sandbox.dir, ...more];
    if (way === 'stdio') return new ViceDesk(sandbox, await stdioClient(sandbox, 'legacy', args));
    const server = await HttpProgram.start(sandbox, ...args);
    return new ViceDesk(sandbox, await httpClient(server, 'modern'), server);
  }

  constructor(sandbox: Sandbox, client: McpClient, server?: HttpProgram) {
    this.sandbox = sandbox;
    this.client = client;
    this.server = server;
  }

  /** The fields of an answer, which are the same as text and as data. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
  async call(tool: string, args: Record<string, unknown> = {}): Promise<any> {
    const { text, structured, isError, content } = await this.client.call(tool, args);
    expect(isError, text).toBe(false);
    const fields = JSON.parse(text);
    if (content.length === 1) expect(structured).toEqual(fields);
    expect(fields).toMatchObject({ execution_state: expect.any(String), pc: expect.stringMatching(/^\$[0-9A-F]{4}$/) });
    return fields;
  }

  /** How a call is refused. */
  async refusal(tool: string, args: Record<string, unknown> = {}): Promise<Refusal> {
    const error = await this.client.callTool({ name: tool, arguments: args }).then(
      (result) => ({ result }),
      (reason: unknown) => reason,
    );
    if (!(error instanceof ProtocolError)) throw new Error(`not refused: ${JSON.stringify(error)}`);
    return { code: error.code, message: error.message, data: (error.data ?? {}) as Refusal['data'] };
  }

  /** Calls it twice: the first answer has the token for the second. */
  async confirmed(tool: string, args: Record<string, unknown> = {}) {
    const asked = await this.call(tool, args);
    expect(asked).toMatchObject({ requires_confirmation: true, token: expect.any(String) });
    return this.call(tool, { ...args, confirmation_token: asked.token });
  }

  /** Stops the machine and puts code into memory, with PC at its first instruction. */
  async load(address: number, bytes: readonly number[]): Promise<void> {
    await this.call('vice.execution.pause');
    await this.call('vice.memory.write', { address, data: bytes });
    await this.call('vice.registers.set', { register: 'PC', value: address });
  }

  /** When the machine has come to this state. */
  async reaches(state: string) {
    return vi.waitFor(
      async () => {
        const answer = await this.call('vice.execution.get_state');
        expect(answer.execution_state).toBe(state);
        return answer;
      },
      { timeout: 60_000, interval: 30 },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.server?.[Symbol.asyncDispose]();
    await this.sandbox[Symbol.asyncDispose]();
  }
}
