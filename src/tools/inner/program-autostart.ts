import { z } from 'zod';
import { programFile } from '../debug/program-file.ts';
import { defineTool } from '../tool.ts';

/** As an emulator's autostart: on a machine that was just reset, whatever it did before. */
export const programAutostart = defineTool({
  name: 'program_autostart',
  title: 'Autostart',
  description: 'Resets the machine, loads a program and starts it.',
  toolset: 'inner',
  needs: ['program', 'control'],
  effect: 'change',
  input: z.object({
    path: z.string(),
    index: z.number().int().min(0).optional(),
    start: z.boolean().default(true),
  }),
  async run({ program, control }, { path, index, start }, { rack, signal }) {
    const source = { ...(await programFile(path, rack.files)), ...(index !== undefined && { index }) };
    const load = async () => {
      if (program.autostart) return program.autostart(source, start, signal);
      await control.reset('hard');
      return program.load(source, start, signal);
    };
    const { notes, ...loaded } = await (control.interlude ? control.interlude(load) : load());
    return { text: notes.join('\n'), data: { ...loaded, started: loaded.started ?? null, notes } };
  },
});
