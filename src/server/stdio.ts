import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { type BoundConnection, bindConnection } from './bind-connection.ts';
import { CheckedLines } from './checked-lines.ts';
import { Listening } from './listening.ts';
import { createMcpServer, type ServerIdentity } from './mcp-server.ts';
import type { Wire } from './outbox.ts';
import { RequestsUnderWay } from './requests-under-way.ts';
import type { Surface } from './surface.ts';

export interface StdioOptions extends ServerIdentity {
  readonly stdin: Readable;
  readonly stdout: Writable;
  log(text: string): void;
}

/** A client that leaves so much unread is not asked for more. */
const mostUnreadBytes = 4 * 1024 * 1024;

const mostUnsentCharacters = 64 * 1024;

/** MCP over this process's own stdin and stdout, every protocol version. */
export function serveStandardStreams(surface: Surface, options: StdioOptions): { close(): Promise<void> } {
  const { stdin, stdout } = options;
  const listening = new Listening();
  const requests = new RequestsUnderWay();
  let lastRefusal: string | undefined;
  let refusals = '';
  // Past the transport: they are no answers to what was let in, though they may have its number.
  const sendRefusals = () => {
    if (!stdout.destroyed) stdout.write(refusals);
    refusals = '';
  };
  const lines = new CheckedLines(
    (refusal) => {
      const { message } = refusal.error;
      if (message !== lastRefusal) options.log(`stdio: ${message}`);
      lastRefusal = message;
      // Many of them leave as one piece.
      if (refusals === '') process.nextTick(sendRefusals);
      refusals += `${JSON.stringify(refusal)}\n`;
    },
    {
      ready: () => {
        if (refusals.length >= mostUnsentCharacters) sendRefusals();
        return stdout.writableLength >= mostUnreadBytes ? drained(stdout) : undefined;
      },
      refusal: (message) => requests.refusal(message),
      admit: async (message) => {
        const fault = await requests.admit(message);
        if (fault) return fault;
        const noStream = listening.admit(message);
        if (noStream) requests.answered(noStream);
        return noStream;
      },
    },
  );
  const transport = new StdioServerTransport(stdin.pipe(lines), stdout);
  onSend(transport, (message) => {
    requests.answered(message);
    listening.answered(message);
  });
  const served = serveStdio(
    ({ era }) => {
      const server = createMcpServer(surface, options, (request) => requests.begin(request));
      const bound: BoundConnection = bindConnection(server, surface, era, wireOf(stdout));
      if (era === 'modern') listening.serve(bound);
      return bound.server;
    },
    { transport, onerror: (error) => options.log(`stdio: ${error.message}`) },
  );
  return {
    async close() {
      await served.close();
      // An open stdin that flows would keep the process alive.
      stdin.unpipe(lines).pause();
    },
  };
}

/** Hears each message that is on its way out. */
function onSend(transport: StdioServerTransport, listener: (message: JSONRPCMessage) => void): void {
  const send = transport.send.bind(transport);
  transport.send = (message) => {
    listener(message);
    return send(message);
  };
}

function wireOf(stdout: Writable): Wire {
  return {
    get isFull() {
      return stdout.writableNeedDrain;
    },
    onceFree: (listener) => void drained(stdout).then(listener),
  };
}

const endings = ['drain', 'error', 'close'] as const;

/** When what was written has left, or never will. */
function drained(stdout: Writable): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      for (const event of endings) stdout.off(event, settle);
      resolve();
    };
    for (const event of endings) stdout.on(event, settle);
    if (stdout.destroyed) settle();
  });
}
