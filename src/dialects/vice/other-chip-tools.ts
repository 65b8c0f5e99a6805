import { z } from 'zod';
import type { DialectTool } from '../dialect.ts';
import { namedRegisters, readChip } from './chip-reading.ts';
import type { ViceChip } from './machines.ts';
import { momentOf } from './moment.ts';
import { captureInput, captureScreen } from './screen-capture.ts';
import { viceTool } from './vice-tool.ts';

const nothing = z.strictObject({});

/** Of a chip: its registers by address, and what they mean. */
function registersTool(chip: ViceChip, title: string, description: string): DialectTool {
  return viceTool({
    name: `vice.${chip}.registers.get`,
    title,
    description,
    effect: 'read',
    chips: [chip],
    input: nothing,
    async call(_input, call) {
      const reading = await readChip(call, chip);
      return { ...namedRegisters(reading), decoded: reading.numbers };
    },
  });
}

function captureTool(chip: ViceChip, name: string): DialectTool {
  return viceTool({
    name: `vice.${chip}.screen.capture`,
    title: 'Capture the screen',
    description: `The frame of the ${name} as a PNG, as an image or as base64 text.`,
    effect: 'read',
    chips: [chip],
    input: captureInput,
    call: captureScreen,
  });
}

const ciaTimers = viceTool({
  name: 'vice.cia.timers.get',
  title: 'Get CIA timers',
  description: 'All four timers of the CIAs: value, latch, mode, what they count.',
  effect: 'read',
  chips: ['cia1'],
  input: nothing,
  async call(_input, call) {
    const timers: Record<string, unknown>[] = [];
    for (const cia of [1, 2]) {
      for (const index of [0, 1]) {
        const { counter, ...rest } = (await readChip(call, `cia${cia}`, 'timer', index)).numbers;
        timers.push({ cia, value: counter, ...rest });
      }
    }
    return { timers };
  },
});

const voices = viceTool({
  name: 'vice.sid.voices.get',
  title: 'Get SID voices',
  description: 'The three voices: frequency in Hz, waveform, pulse width, ADSR in milliseconds, where the envelope is.',
  effect: 'read',
  chips: ['sid'],
  input: nothing,
  async call(_input, call) {
    const all: unknown[] = [];
    for (const index of [0, 1, 2]) all.push((await readChip(call, 'sid', 'voice', index)).numbers);
    return { voices: all };
  },
});

const audio = viceTool({
  name: 'vice.sid.audio.capture',
  title: 'Capture audio',
  description:
    'Run for so many frames and return the sound as WAV, with level and pitch. A machine that was running goes on.',
  effect: 'change',
  chips: ['sid'],
  guard: { inError: 'run' },
  input: z.strictObject({
    frames: z.number().int().min(1).max(500).default(50),
    format: z.literal('wav').default('wav'),
  }),
  async call({ frames, format }, call) {
    const facts = { seconds: z.number(), peak: z.number(), level: z.number(), hertz: z.number() };
    const { state } = await momentOf(call);
    const { seconds, peak, level, hertz, images } = await call.use('audio_capture', { frames }, facts);
    const { state: after } = await momentOf(call);
    if (state === 'RUNNING' && after === 'PAUSED') await call.use('run', { detach: 'real' }, {});
    const amplitude = (decibels: number) => Number((10 ** (decibels / 20)).toFixed(5));
    return { frames, format, seconds, peak: amplitude(peak), rms: amplitude(level), dominant_hz: hertz, images };
  },
});

export const otherChipTools: readonly DialectTool[] = [
  registersTool('vic', 'Get VIC registers', 'All VIC registers ($9000-$900F), by address.'),
  captureTool('vic', 'VIC'),
  registersTool('ted', 'Get TED registers', 'All TED registers (video and sound), by address.'),
  captureTool('ted', 'TED'),
  registersTool('sid', 'Get SID registers', 'SID registers ($D400-$D41C) as last written, and the filter.'),
  voices,
  audio,
  registersTool('cia1', 'Get CIA 1 registers', 'CIA 1 (keyboard, joysticks), by address.'),
  registersTool('cia2', 'Get CIA 2 registers', 'CIA 2 (serial bus, user port), by address.'),
  ciaTimers,
  registersTool('via1', 'Get VIA 1 registers', 'VIA 1 of a VIC-20, by address.'),
  registersTool('via2', 'Get VIA 2 registers', 'VIA 2 of a VIC-20, by address.'),
];
