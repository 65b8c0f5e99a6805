import { z } from 'zod';
import type { DialectTool } from '../dialect.ts';
import { chipValues, decodedValues, namedRegisters, registerBytes } from './chip-reading.ts';
import type { ViceChip } from './machines.ts';
import { ciaRows, type RegisterRow, viaRows, vicRows } from './register-names.ts';
import { captureInput, captureScreen } from './screen-capture.ts';
import { viceTool } from './vice-tool.ts';

const nothing = z.strictObject({});

/** Of a chip: its registers by address, and what they mean. */
function registersTool(
  chip: ViceChip,
  title: string,
  description: string,
  first: number,
  rows: readonly RegisterRow[],
): DialectTool {
  return viceTool({
    name: `vice.${chip}.registers.get`,
    title,
    description,
    effect: 'read',
    chips: [chip],
    input: nothing,
    async call(_input, call) {
      const values = await chipValues(call, chip);
      return { ...namedRegisters(registerBytes(values), first, rows), decoded: decodedValues(values) };
    },
  });
}

const vicCapture = viceTool({
  name: 'vice.vic.screen.capture',
  title: 'Capture the screen',
  description: 'The frame of the VIC as a PNG, as an image or as base64 text.',
  effect: 'read',
  chips: ['vic'],
  input: captureInput,
  call: captureScreen,
});

const ciaTimers = viceTool({
  name: 'vice.cia.timers.get',
  title: 'Get CIA timers',
  description: 'All four timers of the CIAs: value, latch, mode, what they count.',
  effect: 'read',
  chips: ['cia1'],
  input: nothing,
  async call(_input, call) {
    const timers: Record<string, unknown>[] = [];
    for (const cia of ['cia1', 'cia2']) {
      for (const index of [0, 1]) {
        const { timer, counter, latch, runs, mode, counts, output, interrupt } = await chipValues(
          call,
          cia,
          'timer',
          index,
        );
        const facts = { running: runs, mode, counts, output, interrupt_enabled: interrupt };
        timers.push({ cia: Number(cia.slice(3)), timer, value: counter, latch, ...facts });
      }
    }
    return { timers };
  },
});

export const otherChipTools: readonly DialectTool[] = [
  registersTool('vic', 'Get VIC registers', 'All VIC registers ($9000-$900F), by address.', 0x9000, vicRows),
  vicCapture,
  registersTool('cia1', 'Get CIA 1 registers', 'CIA 1 (keyboard, joysticks), by address.', 0xdc00, ciaRows),
  registersTool('cia2', 'Get CIA 2 registers', 'CIA 2 (serial bus, user port), by address.', 0xdd00, ciaRows),
  ciaTimers,
  registersTool('via1', 'Get VIA 1 registers', 'VIA 1 of a VIC-20, by address.', 0x9110, viaRows),
  registersTool('via2', 'Get VIA 2 registers', 'VIA 2 of a VIC-20, by address.', 0x9120, viaRows),
];
