import { z } from 'zod';
import { portFor } from './console/port-for.ts';
import { portNamed } from './console/port-named.ts';
import { requireWritable } from './console/require-writable.ts';
import { fileLimits } from './file-limits.ts';
import { modemArguments, putByModem } from './guest/by-modem.ts';
import { GuestShell } from './guest/guest-shell.ts';
import { putFile } from './guest/transfer.ts';
import { defineTool } from './tool.ts';

export const filePut = defineTool({
  name: 'file_put',
  title: 'Copy a file into a guest',
  description:
    'Copy a file from this computer to the guest whose shell is waiting on a console, and verify its checksum. ' +
    'Uses the shared folder that the guest has mounted or a virtio channel, otherwise the console, ' +
    'at about a kilobyte a second. With protocol: by X-, Y- or ZMODEM, also to boot loaders and network gear.',
  toolset: 'guest',
  needs: ['console'],
  effect: 'change',
  openWorld: true,
  input: z.object({
    path: z.string().describe('Here, below an allowed path'),
    to: z.string().max(300).describe('Path in the guest'),
    port: z.string().optional().describe('Console with the shell'),
    channel: z.string().optional().describe('Virtio channel to use; none: the console'),
    offset: z.number().int().min(0).default(0).describe('Where the last call stopped'),
    ...modemArguments,
    timeout_ms: z.number().int().min(1000).max(50_000).default(40_000),
  }),
  confirm({ console: lines }, { path, to, port }) {
    const { writePolicy, link } = portNamed(lines, port);
    return writePolicy === 'confirm' ? `Copy ${path} to ${to} in the guest on ${link.target}?` : undefined;
  },
  async run({ console: lines }, { path, to, port, channel, offset, protocol, start, timeout_ms }, context) {
    const { rack, signal, progress } = context;
    const line = portFor(lines, port, context);
    requireWritable(line);
    if (protocol !== undefined) {
      const bytes = await rack.files.read(path, fileLimits.modem);
      const request = { port: line, protocol, start, timeoutMs: timeout_ms, signal, progress };
      const where = await putByModem(request, bytes, to);
      const data = { bytes: bytes.length, total: bytes.length, complete: true, way: protocol };
      return {
        text: `${bytes.length} byte${bytes.length === 1 ? '' : 's'} sent by ${protocol}, which checks each block; ${where}`,
        data,
      };
    }
    const shell = new GuestShell(line, performance.now() + timeout_ms, signal, () => lines.boot?.starts);
    const request = { console: lines, shell, rack, channel, offset, progress };
    const { at, total, way, checked } = await putFile(request, path, to);
    const data = { bytes: at, total, complete: checked !== undefined, way, checked };
    if (checked !== undefined) return { text: `${total} bytes in ${to} by ${way}, ${checked}`, data };
    return { text: `${at} of ${total} bytes are in the guest; go on with "offset":${at}`, data };
  },
});
