import { z } from 'zod';
import { MachineError } from '../machine/errors.ts';
import { defineTool } from './tool.ts';

export const inputSend = defineTool({
  name: 'input_send',
  title: 'Type, press keys, move joysticks',
  description:
    'Type text ({"text":"LIST\\n"}), press keys together ({"keys":["shift","a"]}) or hold a joystick ' +
    '({"joystick":2,"directions":["up","fire"],"frames":10}).',
  toolset: 'core',
  needs: ['control'],
  effect: 'change',
  input: z.object({
    text: z.string().max(10_000).optional(),
    keys: z.array(z.string()).max(8).optional().describe('A chord'),
    joystick: z.number().int().min(1).max(2).optional().describe('Port'),
    directions: z.array(z.enum(['up', 'down', 'left', 'right', 'fire'])).optional(),
    frames: z.number().int().min(1).max(3000).default(3).describe('Held so long'),
  }),
  async run(machine, { text, keys, joystick, directions = [], frames }, { signal }) {
    const done: string[] = [];
    if (text !== undefined || keys !== undefined) {
      const { keyboard } = machine;
      if (!keyboard) throw missing('keyboard');
      if (text !== undefined) {
        await keyboard.type(text, signal);
        done.push(`typed ${text.length} characters`);
      }
      if (keys !== undefined) {
        await keyboard.press(keys, frames, signal);
        done.push(`pressed ${keys.join('+')} for ${frames} frames`);
      }
    }
    if (joystick !== undefined) {
      if (!machine.joystick) throw missing('joystick');
      await machine.joystick.set(joystick, directions);
      await machine.control.run({ frames, wallMs: 20_000 }, signal);
      await machine.joystick.set(joystick, []);
      done.push(`joystick ${joystick} ${directions.join('+') || 'released'} for ${frames} frames`);
    }
    if (done.length === 0) throw new MachineError('INVALID_ARGUMENT', 'Nothing to do.', 'Give text, keys or joystick.');
    return { text: done.join('\n') };
  },
});

function missing(what: string): MachineError {
  return new MachineError('MISSING_CAPABILITY', `This machine has no ${what}.`, 'machine_list shows what it has.');
}
