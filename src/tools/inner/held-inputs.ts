import { z } from 'zod';
import { MachineError } from '../../machine/errors.ts';
import type { Machine } from '../../machine/machine.ts';
import { defineTool } from '../tool.ts';

/** Keys that are down: some clients press and release them one by one, our keyboards are told all that are held. */
const heldKeys = new WeakMap<Machine, Set<string>>();
const fraction = z.number().min(0).max(1);
const counts = z.number().int().min(-256).max(256);

export const keySet = defineTool({
  name: 'key_set',
  title: 'Press or release a key',
  description: 'A key goes down or up, and stays so.',
  toolset: 'inner',
  needs: ['keyboard'],
  effect: 'change',
  idempotent: true,
  input: z.object({ key: z.string().max(40), pressed: z.boolean() }),
  async run(machine, { key, pressed }) {
    const { keyboard } = machine;
    const name = named(keyboard.keyNames, key, 'key');
    const held = heldKeys.get(machine) ?? new Set();
    heldKeys.set(machine, held);
    if (pressed) held.add(name);
    else held.delete(name);
    await keyboard.hold([...held]);
    return { text: '', data: { key: name } };
  },
});

export const pointerSet = defineTool({
  name: 'pointer_set',
  title: 'Move the mouse',
  description: 'To a place on the screen, both coordinates from 0 to 1.',
  toolset: 'inner',
  needs: ['mouse', 'screen'],
  effect: 'change',
  idempotent: true,
  input: z.object({ x: fraction, y: fraction }),
  async run({ mouse, screen }, { x, y }) {
    const { width, height } = await screen.picture();
    await mouse.moveTo(Math.round(x * (width - 1)), Math.round(y * (height - 1)));
    return { text: '', data: { x, y } };
  },
});

export const pointerMove = defineTool({
  name: 'pointer_move',
  title: 'Move the mouse by so much',
  description: 'To the right and downwards, in counts of the mouse.',
  toolset: 'inner',
  needs: ['mouse'],
  effect: 'change',
  input: z.object({ dx: counts, dy: counts }),
  async run({ mouse }, { dx, dy }) {
    await mouse.moveBy(dx, dy);
    return { text: '', data: { dx, dy } };
  },
});

export const buttonSet = defineTool({
  name: 'button_set',
  title: 'Press or release a mouse button',
  description: 'A button goes down or up, and stays so.',
  toolset: 'inner',
  needs: ['mouse'],
  effect: 'change',
  idempotent: true,
  input: z.object({ button: z.string().max(20), pressed: z.boolean() }),
  async run({ mouse }, { button, pressed }) {
    const name = named(mouse.buttons, button, 'button');
    await mouse.button(name, pressed);
    return { text: '', data: { button: name } };
  },
});

function named(names: readonly string[], wanted: string, what: string): string {
  const found = names.find((each) => each.toLowerCase() === wanted.toLowerCase());
  if (found !== undefined) return found;
  throw new MachineError(
    'INVALID_ARGUMENT',
    `There is no ${what} ${JSON.stringify(wanted)}.`,
    `There are: ${names.join(', ')}.`,
  );
}
