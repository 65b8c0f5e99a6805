import { Agent, type IncomingMessage, request } from 'node:http';
import { type Caller, checkedResult, type Message, type Request } from './requests.ts';

/** JSON-RPC over HTTP on one connection that stays open. */
export class HttpClient implements Caller {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.#url = url;
    this.#headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    };
  }

  async request(message: Request): Promise<unknown> {
    const { response, body } = await this.#post(message);
    const session = response.headers['mcp-session-id'];
    if (typeof session === 'string') this.#headers['mcp-session-id'] = session;
    if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}: ${body}`);
    const event = /^data: (.*"jsonrpc".*)$/m.exec(body)?.[1];
    return checkedResult(event ?? body);
  }

  async notify(message: Message): Promise<void> {
    await this.#post(message);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
  }

  async #post(message: Message): Promise<{ response: IncomingMessage; body: string }> {
    const text = JSON.stringify(message);
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sending = request(this.#url, { method: 'POST', headers: this.#headers, agent: this.#agent }, resolve);
      sending.on('error', reject);
      sending.end(text);
    });
    let body = '';
    for await (const part of response.setEncoding('utf8')) body += part;
    return { response, body };
  }
}
