import { z } from 'zod';
import { advice, call, MachineError } from '../machine/errors.ts';
import type { MachineWith } from '../machine/machine.ts';
import { showArgument, withShown } from './debug/shown.ts';
import { defineTool } from './tool.ts';

const input = z.object({
  text: z.string().max(10_000).optional(),
  keys: z.array(z.string()).max(8).optional().describe('A chord'),
  joystick: z.number().int().min(1).max(2).optional().describe('Port'),
  directions: z.array(z.enum(['up', 'down', 'left', 'right', 'fire'])).optional(),
  mouse: z.array(z.number().int()).length(2).optional().describe('x, y'),
  relative: z.boolean().default(false).describe('Move by x, y'),
  click: z.string().optional().describe('left, right, middle'),
  wheel: z.number().int().min(-100).max(100).optional(),
  frames: z.number().int().min(1).max(3000).default(3),
  show: showArgument,
});

export const inputSend = defineTool({
  name: 'input_send',
  title: 'Type, click, steer',
  description:
    'Type text ({"text":"LIST\\n"}), press keys together ({"keys":["shift","a"]}), hold a joystick ' +
    '({"joystick":2,"directions":["up","fire"],"frames":10}), click ({"mouse":[320,200],"click":"left"}).',
  toolset: 'screen',
  needs: ['control'],
  effect: 'change',
  input,
  async run(machine, asked, { signal }) {
    const send = async () => [
      ...(await type(machine, asked, signal)),
      ...(await steer(machine, asked, signal)),
      ...(await point(machine, asked, signal)),
    ];
    const { control } = machine;
    return withShown(machine, asked.show, async () => {
      const done = await (control.interlude?.(send) ?? send());
      if (done.length > 0) return { text: done.join('\n') };
      throw new MachineError('INVALID_ARGUMENT', 'Nothing to do.', 'Give text, keys, joystick, mouse, click or wheel.');
    });
  },
});

type Asked = z.output<typeof input>;
type Target = MachineWith<'control'>;

async function type(
  { keyboard, control }: Target,
  { text, keys, frames }: Asked,
  signal: AbortSignal,
): Promise<string[]> {
  if (text === undefined && keys === undefined) return [];
  if (!keyboard) throw missing('keyboard');
  const done: string[] = [];
  if (text !== undefined) {
    await keyboard.type(text, signal);
    done.push(`typed ${text.length} character${text.length === 1 ? '' : 's'}`);
  }
  if (keys !== undefined) {
    await keyboard.press(keys, frames, signal);
    const long = control.framesPerSecond === undefined ? '' : ` for ${frames} frames`;
    done.push(`pressed ${keys.join('+')}${long}`);
  }
  return done;
}

async function steer(
  { joystick: sticks, control }: Target,
  { joystick, directions = [], frames }: Asked,
  signal: AbortSignal,
): Promise<string[]> {
  if (joystick === undefined) return [];
  if (!sticks) throw missing('joystick');
  await sticks.set(joystick, directions);
  await control.run({ frames, wallMs: 20_000 }, signal);
  await sticks.set(joystick, []);
  return [`joystick ${joystick} ${directions.join('+') || 'released'} for ${frames} frames`];
}

async function point(
  { mouse: pointer, control }: Target,
  { mouse, relative, click, wheel, frames }: Asked,
  signal: AbortSignal,
): Promise<string[]> {
  if (mouse === undefined && click === undefined && wheel === undefined) return [];
  if (!pointer) throw missing('mouse');
  const done: string[] = [];
  if (mouse !== undefined) {
    const [x = 0, y = 0] = mouse;
    await (relative ? pointer.moveBy(x, y) : pointer.moveTo(x, y));
    done.push(`mouse ${relative ? 'by' : 'at'} ${x},${y}`);
  }
  if (click !== undefined) {
    await pointer.button(click, true);
    const { framesPerSecond } = control;
    await control.run(framesPerSecond === undefined ? { wallMs: frames * 20 } : { frames, wallMs: 20_000 }, signal);
    await pointer.button(click, false);
    done.push(`clicked ${click}`);
  }
  if (wheel !== undefined) {
    await pointer.wheel(wheel);
    done.push(`wheel ${wheel}`);
  }
  return done;
}

function missing(what: string): MachineError {
  return new MachineError(
    'MISSING_CAPABILITY',
    `This machine has no ${what}.`,
    advice`${call('machine_list')} shows what it has.`,
  );
}
