import { z } from 'zod';
import { advice, call, MachineError } from '../machine/errors.ts';
import type { Machine, MachineWith } from '../machine/machine.ts';
import { defineTool } from './tool.ts';

const positions = z.number().int().min(0).max(255);
const steps = z.number().int().min(-31).max(31);

const stepSchema = z.strictObject({
  frame: z.number().int().min(0).max(100_000).describe('Counted from the call; 0 is at once'),
  keys: z.array(z.string()).max(8).optional().describe('Held from here on; [] lets go'),
  joystick: z.number().int().min(1).max(2).optional().describe('Port'),
  directions: z.array(z.enum(['up', 'down', 'left', 'right', 'fire'])).optional(),
  paddles: z
    .strictObject({
      port: z.number().int().min(1).max(2),
      x: positions,
      y: positions,
      x_button: z.boolean().optional(),
      y_button: z.boolean().optional(),
    })
    .optional(),
  mouse: z
    .strictObject({ dx: steps.optional(), dy: steps.optional(), buttons: z.array(z.string()).max(3).optional() })
    .optional()
    .describe('Moves by so much; buttons are held until others are given'),
  light_pen: z
    .strictObject({ x: z.number().int(), y: z.number().int() })
    .nullable()
    .optional()
    .describe('Pixels of the picture; null takes it away'),
});

type Step = z.output<typeof stepSchema>;

export const inputSequence = defineTool({
  name: 'input_sequence',
  title: 'Play inputs frame by frame',
  description:
    'Keys, joysticks, paddles, mouse and light pen, each change at the exact start of a frame. Everything is released at ' +
    'the end. Example: {"steps":[{"frame":0,"joystick":2,"directions":["right"]},{"frame":25,"joystick":2,"directions":["fire"]}],"frames":50}.',
  toolset: 'play',
  needs: ['control'],
  effect: 'change',
  input: z.object({
    steps: z.array(stepSchema).min(1).max(500),
    frames: z.number().int().min(1).max(100_000).optional().describe('Total length; default: 3 after the last step'),
  }),
  async run(machine, { steps: given, frames }, { signal }) {
    if (machine.control.framesPerSecond === undefined) {
      const message = 'This machine keeps its own time and has no frames to count.';
      throw new MachineError('MISSING_CAPABILITY', message, advice`Use ${call('input_send')}.`);
    }
    const ordered = [...given].sort((a, b) => a.frame - b.frame);
    for (const step of ordered) checkStep(machine, step);
    const length = frames ?? (ordered.at(-1)?.frame ?? 0) + 3;
    const used = new Used();
    let frame = 0;
    let done = 0;
    const play = async () => {
      try {
        for (const step of ordered) {
          if (step.frame >= length) break;
          if (!(await passFrames(machine, step.frame - frame, signal))) break;
          frame = step.frame;
          await apply(machine, step, used);
          done++;
        }
        const isThrough = done === ordered.filter((step) => step.frame < length).length;
        if (isThrough && (await passFrames(machine, length - frame, signal))) frame = length;
      } finally {
        await release(machine, used);
      }
    };
    await (machine.control.interlude?.(play) ?? play());
    const summary = `${done} of ${given.length} steps in ${frame} of ${length} frames`;
    return {
      text: frame === length ? summary : `${summary}; stopped on the way`,
      data: { done, frame, frames: length },
    };
  },
});

/** What has to be let go in the end. */
class Used {
  keys = false;
  readonly joysticks = new Set<number>();
  readonly paddles = new Map<number, { readonly x: number; readonly y: number }>();
  buttons: readonly string[] = [];
  lightPen = false;
}

/** False if something stopped the machine before. */
async function passFrames(machine: MachineWith<'control'>, frames: number, signal: AbortSignal): Promise<boolean> {
  if (frames <= 0) return true;
  const stop = await machine.control.run({ frames, wallMs: 50_000 }, signal);
  return stop.cause === 'limit' && stop.reason === 'frames';
}

async function apply(machine: Machine, step: Step, used: Used): Promise<void> {
  if (step.keys) {
    await machine.keyboard?.hold(step.keys);
    used.keys = true;
  }
  if (step.joystick !== undefined) {
    await machine.joystick?.set(step.joystick, step.directions ?? [], true);
    used.joysticks.add(step.joystick);
  }
  if (step.paddles) {
    const { port, x, y, x_button: xButton = false, y_button: yButton = false } = step.paddles;
    await machine.paddles?.set(port, { x, y, xButton, yButton });
    used.paddles.set(port, { x, y });
  }
  if (step.mouse) await useMouse(machine, step.mouse, used);
  if (step.light_pen !== undefined) {
    await machine.lightPen?.aim(step.light_pen ?? undefined);
    used.lightPen = step.light_pen !== null;
  }
}

async function useMouse(machine: Machine, { dx = 0, dy = 0, buttons }: NonNullable<Step['mouse']>, used: Used) {
  if (dx !== 0 || dy !== 0) await machine.mouse?.moveBy(dx, dy);
  if (!buttons) return;
  for (const button of used.buttons) if (!buttons.includes(button)) await machine.mouse?.button(button, false);
  for (const button of buttons) await machine.mouse?.button(button, true);
  used.buttons = buttons;
}

async function release(machine: Machine, used: Used): Promise<void> {
  if (used.keys) await machine.keyboard?.hold([]);
  for (const port of used.joysticks) await machine.joystick?.set(port, [], true);
  for (const [port, place] of used.paddles) {
    await machine.paddles?.set(port, { ...place, xButton: false, yButton: false });
  }
  for (const button of used.buttons) await machine.mouse?.button(button, false);
  if (used.lightPen) await machine.lightPen?.aim(undefined);
}

function checkStep(machine: Machine, step: Step): void {
  const wanted = [
    ['keyboard', step.keys],
    ['joystick', step.joystick],
    ['paddles', step.paddles],
    ['mouse', step.mouse],
    ['lightPen', step.light_pen],
  ] as const;
  for (const [capability, use] of wanted) {
    if (use === undefined || machine[capability] !== undefined) continue;
    const message = `This machine has no ${capability}; nothing was done.`;
    throw new MachineError('MISSING_CAPABILITY', message, advice`${call('machine_list')} shows what it has.`);
  }
  const names = machine.keyboard?.keyNames.map((name) => name.toLowerCase()) ?? [];
  const unknown = step.keys?.find((key) => !names.includes(key.toLowerCase()));
  if (unknown === undefined) return;
  const message = `No key ${JSON.stringify(unknown.slice(0, 20))}; nothing was done.`;
  throw new MachineError('INVALID_ARGUMENT', message, `Keys: ${machine.keyboard?.keyNames.join(' ')}.`);
}
