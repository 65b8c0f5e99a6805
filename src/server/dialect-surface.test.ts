import { expect, test } from 'vitest';
import type { Change, FollowedText, ToolHost } from '../api/tool-host.ts';
import { serencp } from '../dialects/serencp.ts';
import { bindConnection } from './bind-connection.ts';
import { dialectSurface } from './dialect-surface.ts';
import { createMcpServer } from './mcp-server.ts';

/** A host with a console that prints on and on, and a count of who has it decoded. */
class FloodingHost {
  decoded = 0;
  #changed: (change: Change) => void = () => {};
  readonly #nothing = () => () => {};
  readonly keepWhile = this.#nothing;
  readonly onListChange = this.#nothing;
  readonly onEvent = this.#nothing;

  onChange(listener: (change: Change) => void): () => void {
    this.#changed = listener;
    return () => {};
  }

  follow(): FollowedText {
    return {
      next: async () => {
        this.decoded++;
        return { text: 'output', more: false };
      },
    };
  }

  outputOf(): Promise<string> {
    this.decoded++;
    return Promise.resolve('output');
  }

  print(): void {
    this.#changed({ machine: 'vm', console: 'vm' });
  }
}

test('output is decoded for subscribers alone', async () => {
  const host = new FloodingHost();
  const surface = dialectSurface(serencp, host as unknown as ToolHost, 'dots');
  const { subscribe, unsubscribe } = bindConnection(createMcpServer(surface, { version: '1' }), surface, 'modern');
  for (let piece = 0; piece < 5; piece++) host.print();
  expect(host.decoded).toBe(0);
  subscribe('vm://another/output');
  host.print();
  expect(host.decoded).toBe(0);
  subscribe('vm://vm/output');
  host.print();
  expect(host.decoded).toBe(1);
  unsubscribe('vm://vm/output');
  host.print();
  expect(host.decoded).toBe(1);
});
