import { z } from 'zod';
import type { DialectTool } from '../dialect.ts';
import { momentOf } from './moment.ts';
import { viceTool } from './vice-tool.ts';

const cyclesGet = viceTool({
  name: 'vice.trace.cycles.get',
  title: 'Get the cycle count',
  description:
    'Cycles since vice.trace.cycles.reset, or since power-up, and the whole frames and raster lines in them.',
  effect: 'read',
  input: z.strictObject({}),
  async call(_input, call) {
    const { cycle, since_mark, beam } = await momentOf(call);
    const cycles = since_mark ?? cycle;
    const perLine = beam?.cyclesPerLine ?? 1;
    return {
      cycles,
      frames: Math.floor(cycles / (perLine * (beam?.linesPerFrame ?? 1))),
      raster_lines: Math.floor(cycles / perLine),
    };
  },
});

const cyclesReset = viceTool({
  name: 'vice.trace.cycles.reset',
  title: 'Reset the cycle counter',
  description: 'Count cycles from now on.',
  effect: 'change',
  idempotent: true,
  input: z.strictObject({}),
  async call(_input, call) {
    await call.use('cycles_read', { mark: true }, {});
    return { cycles: 0, frames: 0, raster_lines: 0 };
  },
});

export const traceTools: readonly DialectTool[] = [cyclesGet, cyclesReset];
