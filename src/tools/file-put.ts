import { z } from 'zod';
import { putByChannel, putByShell } from './console/guest-files.ts';
import { GuestShell } from './console/guest-shell.ts';
import { portNamed } from './console/port-named.ts';
import { requireWritable } from './console/require-writable.ts';
import { defineTool } from './tool.ts';

export const filePut = defineTool({
  name: 'file_put',
  title: 'Copy a file into a guest',
  description:
    'Copy a file of this computer into the guest whose shell waits on a console, and check it by checksum. ' +
    'A virtio channel makes it fast; the console alone carries a few kilobytes a second.',
  toolset: 'more',
  needs: ['console'],
  effect: 'change',
  openWorld: true,
  input: z.object({
    path: z.string().describe('Here, below an allowed path'),
    to: z.string().max(300).describe('Path in the guest'),
    port: z.string().optional().describe('Console with the shell'),
    channel: z.string().optional().describe('Port that is a virtio channel'),
    offset: z.number().int().min(0).default(0).describe('Where the last call stopped'),
    timeout_ms: z.number().int().min(1000).max(50_000).default(40_000),
  }),
  confirm({ console: lines }, { path, to, port }) {
    const { writePolicy, link } = portNamed(lines, port);
    return writePolicy === 'confirm' ? `Copy ${path} to ${to} in the guest on ${link.target}?` : undefined;
  },
  async run({ console: lines }, { path, to, port, channel, offset, timeout_ms }, { rack, signal, progress }) {
    const line = portNamed(lines, port);
    requireWritable(line);
    const bytes = await rack.readFile(path);
    const shell = new GuestShell(line, signal);
    const until = performance.now() + timeout_ms;
    if (channel !== undefined) await putByChannel(shell, portNamed(lines, channel), bytes, to, timeout_ms, signal);
    else {
      const { at, total } = await putByShell(shell, bytes, to, { offset, until, progress });
      if (at < total) {
        const text = `${at} of ${total} bytes are in the guest; go on with "offset":${at}`;
        return { text, data: { bytes: at, total, complete: false } };
      }
    }
    const checked = await shell.verify(to, bytes);
    return {
      text: `${bytes.length} bytes in ${to}, ${checked}`,
      data: { bytes: bytes.length, complete: true, checked },
    };
  },
});
