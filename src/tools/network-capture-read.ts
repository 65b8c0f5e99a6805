import { z } from 'zod';
import { fenced } from './console/fence.ts';
import { captureNamed, showCapture } from './debug/show-capture.ts';
import { defineTool } from './tool.ts';

export const networkCaptureRead = defineTool({
  name: 'network_capture_read',
  title: 'Read captured packets',
  description: 'Packets of a capture, one line each (ARP, IP, ICMP, UDP, TCP, DNS, DHCP), while it runs or afterwards.',
  toolset: 'network',
  needs: ['network'],
  effect: 'read',
  letsTimePass: true,
  idempotent: true,
  input: z.object({
    capture: z.string().optional().describe('Default: the last one started'),
    cursor: z.number().int().min(0).default(0).describe('Number of the first packet'),
    limit: z.number().int().min(1).max(500).default(50),
  }),
  async run({ network }, { capture, cursor, limit }) {
    const chosen = captureNamed(network, capture);
    const { lines, next, total } = await network.packets(chosen.id, cursor, limit);
    const which = lines.length === 0 ? `no packets after ${cursor}` : `packets ${cursor}-${next - 1} of ${total}`;
    const rest = total > next ? `\n${total - next} more; go on with "cursor":${next}` : '';
    return {
      text: `${showCapture(chosen)}\n${fenced(lines.join('\n'), which)}${rest}`,
      data: { capture: chosen.id, path: chosen.path, packets: lines, next, total },
    };
  },
});
