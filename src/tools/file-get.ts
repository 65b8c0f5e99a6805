import { z } from 'zod';
import { portFor } from './console/port-for.ts';
import { portNamed } from './console/port-named.ts';
import { requireWritable } from './console/require-writable.ts';
import { getByModem, modemArguments } from './guest/by-modem.ts';
import { GuestShell } from './guest/guest-shell.ts';
import { getFile } from './guest/transfer.ts';
import { defineTool } from './tool.ts';

export const fileGet = defineTool({
  name: 'file_get',
  title: 'Copy a file out of a guest',
  description:
    'Copy a file from the guest whose shell is waiting on a console to a new file on this computer, and verify its checksum. ' +
    'A file that takes longer than the time limit arrives in parts: make one call per part, with the offset that the last one returned. ' +
    'With protocol: the whole file by X-, Y- or ZMODEM.',
  toolset: 'guest',
  needs: ['console'],
  effect: 'change',
  openWorld: true,
  input: z.object({
    from: z.string().max(300).describe('Path in the guest'),
    path: z.string().describe('New file here, below an allowed path'),
    port: z.string().optional().describe('Console with the shell'),
    channel: z.string().optional().describe('Virtio channel to use; none: the console'),
    offset: z.number().int().min(0).default(0).describe('First byte wanted'),
    ...modemArguments,
    timeout_ms: z.number().int().min(1000).max(50_000).default(40_000),
  }),
  confirm({ console: lines }, { from, port }) {
    const { writePolicy, link } = portNamed(lines, port);
    return writePolicy === 'confirm' ? `Copy ${from} out of the guest on ${link.target}?` : undefined;
  },
  async run({ console: lines }, { from, path, port, channel, offset, protocol, start, timeout_ms }, context) {
    const { rack, signal, progress } = context;
    const line = portFor(lines, port, context);
    requireWritable(line);
    await rack.files.requireNew(path);
    if (protocol !== undefined) {
      const bytes = await getByModem({ port: line, protocol, start, timeoutMs: timeout_ms, signal, progress }, from);
      await rack.writeFile(path, bytes);
      const padded = protocol === 'xmodem' ? '; XMODEM may have padded the end with 1A' : '';
      const data = { bytes: bytes.length, total: bytes.length, complete: true, way: protocol };
      return { text: `${bytes.length} bytes in ${path} by ${protocol}${padded}`, data };
    }
    const shell = new GuestShell(line, performance.now() + timeout_ms, signal, () => lines.boot?.starts);
    const request = { console: lines, shell, rack, channel, offset, progress };
    const { bytes, total, way, checked = 'a part, not checked' } = await getFile(request, from);
    await rack.writeFile(path, bytes);
    const end = offset + bytes.length;
    const rest = end < total ? `; ${total - end} more: another path and "offset":${end}` : '';
    return {
      text: `${bytes.length} of ${total} bytes in ${path} by ${way}, ${checked}${rest}`,
      data: { bytes: bytes.length, total, complete: bytes.length === total, next: end, way, checked },
    };
  },
});
