import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { tokenProtocol, viewProtocol } from '../../src/view/channel.ts';
import { Fleet } from '../support/fleet.ts';
import type { HttpProgram } from '../support/http-program.ts';
import { httpClient } from '../support/mcp-client.ts';

const patience = { timeout: 350_000, interval: 50 };
/** Changes the border, the background and the text all the time. */
const restless = '* = $c000\nl: inc $d020\n inc $d021\n inc $0400,x\n inc $0500,x\n inx\n jmp l\n';
const frames = 600;

async function openView({ url, token = '' }: HttpProgram): Promise<WebSocket> {
  const address = new URL('/view', url.replace('http', 'ws'));
  const socket = new WebSocket(address, [viewProtocol, `${tokenProtocol}${Buffer.from(token).toString('base64url')}`]);
  await once(socket, 'open');
  return socket;
}

test('less than a megabyte waits for a viewer who does not read', async () => {
  await using fleet = await Fleet.open();
  await fleet.station('a');
  const gateway = await fleet.gateway();
  const client = await httpClient(gateway, 'modern');
  const call = async (tool: string, args: Record<string, unknown>) => {
    const { isError, text } = await client.call(tool, { machine: 'm', ...args });
    if (isError) throw new Error(text);
    return text;
  };
  await client.call('machine_start', { kind: 'c64', name: 'm' });
  await call('program_run', { source: restless });
  const view = await openView(gateway);
  let bytes = 0;
  let pictures = 0;
  let isAnswered = false;
  view.on('message', (data, isBinary) => {
    if (isBinary) pictures += 1;
    if (!isAnswered) bytes += (data as Buffer).length;
    if (!isBinary && String(data).includes('"type":"earlier"')) isAnswered = true;
  });
  view.send(JSON.stringify({ type: 'watch', machine: 'm' }));
  view.send(JSON.stringify({ type: 'glimpses', isWanted: true }));
  await vi.waitFor(() => expect(pictures).toBeGreaterThan(0), patience);
  view.pause();
  // It is pictured and told of all the while.
  const frame = async () => Number(/frame ([\d,]+)/.exec(await call('state_read', {}))?.[1]?.replaceAll(',', ''));
  const until = (await frame()) + frames;
  await call('run', { detach: 'warp' });
  await vi.waitFor(async () => expect(await frame()).toBeGreaterThan(until), patience);
  // Whatever waits comes before the answer to this.
  bytes = 0;
  view.send(JSON.stringify({ type: 'earlier', before: 1 }));
  view.resume();
  // On a slow computer it has not read for so long that it was given up.
  await vi.waitFor(() => expect(isAnswered || view.readyState === WebSocket.CLOSED).toBe(true), patience);
  expect(bytes).toBeLessThan(1_000_000);
  view.terminate();
  await client.close();
}, 700_000);
