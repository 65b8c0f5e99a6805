import { z } from 'zod';
import { captureNamed, showCapture } from './debug/show-capture.ts';
import { defineTool } from './tool.ts';

export const networkCaptureStop = defineTool({
  name: 'network_capture_stop',
  title: 'Stop a network capture',
  description: 'End a capture; its pcap file stays, readable by tcpdump and tshark.',
  toolset: 'network',
  needs: ['network'],
  effect: 'change',
  idempotent: true,
  input: z.object({ capture: z.string().optional().describe('Default: the last one started') }),
  async run({ network }, { capture }) {
    const stopped = await network.stopCapture(captureNamed(network, capture).id);
    return { text: showCapture(stopped), data: { ...stopped } };
  },
});
