import { z } from 'zod';
import { encodePng } from '../formats/png.ts';
import { showFrameEvent } from './debug/show-frame-trace.ts';
import { showPixelOrigin } from './debug/show-pixel-origin.ts';
import { drawXray } from './debug/xray-picture.ts';
import { defineTool } from './tool.ts';

const mostListed = 500;

export const frameXray = defineTool({
  name: 'frame_xray',
  title: 'See what made a frame',
  description:
    'A picture of the last whole frame, borders and hidden lines included, on which register writes, interrupts, sprite ' +
    'and bad line events are marked where they happened, with a legend. Filters as in frame_trace. With {"x":200,"y":100}: ' +
    'which instructions made that pixel.',
  toolset: 'timing',
  needs: ['frameTrace', 'addresses'],
  effect: 'read',
  input: z.object({
    frame: z.number().int().min(0).optional().describe('Number of the frame; default the last whole one'),
    chips: z.array(z.string()).max(20).optional(),
    registers: z.array(z.string()).max(64).optional(),
    types: z.array(z.string()).max(40).optional(),
    reads: z.boolean().optional(),
    x: z.number().int().min(0).optional().describe('With y: which instructions made this pixel of the picture'),
    y: z.number().int().min(0).optional(),
    frames_back: z.number().int().min(1).max(250).default(50).describe('How far to look for them'),
    format: z.enum(['text', 'json']).optional(),
  }),
  async run({ frameTrace, addresses }, { format: _, x, y, frames_back: frames, ...input }, { rack, signal }) {
    if (x !== undefined && y !== undefined) {
      return showPixelOrigin(await frameTrace.pixel({ x, y, frames }, signal), { x, y, frames }, addresses);
    }
    const xray = await frameTrace.xray({ ...input, maxBytes: rack.limits.traceBytes }, signal);
    const { picture, legend } = drawXray(xray);
    const png = await encodePng(picture, 1);
    const events = xray.events.slice(0, mostListed).map(({ x, y, ...event }) => ({
      ...showFrameEvent(event, addresses).data,
      x: (x - xray.visible.x) * xray.pixelWidth,
      y: y - xray.visible.y,
    }));
    return {
      text: [`frame ${xray.frame}, ${xray.events.length} events (line/cycle)`, ...legend].join('\n'),
      data: { frame: xray.frame, total: xray.events.length, legend, events },
      images: [{ mimeType: 'image/png', base64: Buffer.from(png).toString('base64') }],
    };
  },
});
