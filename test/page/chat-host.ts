import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import type { McpClient } from '../support/mcp-client.ts';

/** What a host has to allow where a resource asks for nothing more, in the words of the specification. */
const policy = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "media-src 'self' data:",
  "connect-src 'none'",
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'self'",
].join('; ');

/** Passes everything on between the page around it and the view within, and shows the view. */
const proxyPage = `<!doctype html><body style="margin:0"><script>
  const frame = document.createElement('iframe');
  frame.sandbox = 'allow-scripts';
  frame.style = 'border:0;width:100%;height:800px';
  document.body.append(frame);
  addEventListener('message', ({ source, data }) => {
    if (source === frame.contentWindow) parent.postMessage(data, '*');
    else if (data.method === 'ui/notifications/sandbox-resource-ready') frame.srcdoc = data.params.html;
    else frame.contentWindow.postMessage(data, '*');
  });
  parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, '*');
</script>`;

/** The chat around it: what it hears goes to the test, what the test says goes to the view. */
const hostPage = (proxy: string) => `<!doctype html><body style="margin:0"><script>
  const frame = document.createElement('iframe');
  frame.sandbox = 'allow-scripts allow-same-origin';
  frame.style = 'border:0;width:700px;height:820px';
  frame.src = ${JSON.stringify(proxy)};
  document.body.append(frame);
  addEventListener('message', ({ source, data }) => { if (source === frame.contentWindow) heard(data); });
  window.say = (message) => frame.contentWindow.postMessage(message, '*');
</script>`;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
}

/** A chat program of our own with the extension for embedded views, in a real browser, beside a real MCP client. */
export class ChatHost implements AsyncDisposable {
  /** Everything that the view said, oldest first. */
  readonly heard: Message[] = [];
  readonly #page: Page;
  readonly #client: McpClient;
  readonly #capabilities: Record<string, unknown>;
  readonly #servers: ReturnType<typeof createServer>[] = [];
  #html = '';
  #opened: (() => void) | undefined;

  constructor(page: Page, client: McpClient, capabilities: Record<string, unknown>) {
    this.#page = page;
    this.#client = client;
    this.#capabilities = capabilities;
  }

  /** Shows a view, and answers when it has said that it is there. */
  async show(uri: string): Promise<void> {
    const { contents } = await this.#client.readResource({ uri });
    const [content] = contents;
    this.#html = content && 'text' in content ? content.text : '';
    const proxy = await this.#serve(() => proxyPage, { 'content-security-policy': policy });
    const host = await this.#serve(() => hostPage(proxy), {});
    await this.#page.exposeFunction('heard', (message: Message) => this.#take(message));
    const opened = new Promise<void>((resolve) => {
      this.#opened = resolve;
    });
    await this.#page.goto(host);
    await opened;
  }

  /** Another origin each: ports are part of it. */
  async #serve(body: () => string, headers: Record<string, string>): Promise<string> {
    const server = createServer((_, res) =>
      res.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body()),
    );
    this.#servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  async say(message: Message): Promise<void> {
    await this.#page.evaluate(`say(${JSON.stringify({ jsonrpc: '2.0', ...message })})`);
  }

  notify(method: string, params: Record<string, unknown>): Promise<void> {
    return this.say({ method, params });
  }

  async #take(message: Message): Promise<void> {
    this.heard.push(message);
    const { id, method, params = {} } = message;
    if (method === 'ui/notifications/sandbox-proxy-ready') {
      await this.notify('ui/notifications/sandbox-resource-ready', { html: this.#html });
    } else if (method === 'ui/notifications/initialized') this.#opened?.();
    else if (id !== undefined && method !== undefined)
      await this.say({ id, result: await this.#answer(method, params) });
  }

  async #answer(method: string, params: Record<string, unknown>): Promise<unknown> {
    switch (method) {
      case 'ui/initialize':
        return {
          protocolVersion: '2026-01-26',
          hostInfo: { name: 'test host', version: '1' },
          hostCapabilities: this.#capabilities,
          hostContext: { theme: 'light', availableDisplayModes: ['inline', 'fullscreen'] },
        };
      case 'tools/call':
        return this.#client.callTool({
          name: String(params.name),
          arguments: Object(params.arguments) as Record<string, unknown>,
        });
      case 'resources/read':
        return this.#client.readResource({ uri: String(params.uri) });
      case 'ui/request-display-mode':
        return { mode: 'inline' };
      default:
        throw new Error(`the view asked for ${method}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#page.close();
    for (const server of this.#servers) server.close();
  }
}
