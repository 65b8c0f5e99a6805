import { z } from 'zod';
import { showCapture } from './debug/show-capture.ts';
import { defineTool } from './tool.ts';

export const networkCaptureStart = defineTool({
  name: 'network_capture_start',
  title: 'Start a network capture',
  description: "Write a machine's network traffic to a pcap file from now on; several captures can run at once.",
  toolset: 'network',
  needs: ['network'],
  effect: 'change',
  input: z.object({
    interface: z.string().optional().describe('Default: the first'),
    path: z.string().optional().describe('Below an allowed path; default: a file of the machine'),
  }),
  async run({ network }, asked) {
    const capture = await network.startCapture(asked);
    return { text: showCapture(capture), data: { ...capture } };
  },
});
