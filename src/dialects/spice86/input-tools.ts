import { z } from 'zod';
import type { Machine } from '../../machine/machine.ts';
import { type DialectTool, defineDialectTool } from '../dialect.ts';
import { executionError, inspect } from './dos-machine.ts';

const changes = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

/** Keys that are down: the original presses and releases them one by one, our keyboards are told all that are held. */
const heldKeys = new WeakMap<Machine, Set<string>>();

const sendKeyboardKey = defineDialectTool({
  name: 'send_keyboard_key',
  title: 'Press or release a key',
  description: 'A key goes down or up.',
  annotations: changes,
  input: z.strictObject({ key: z.string().max(40), isPressed: z.boolean() }),
  call: ({ key, isPressed }, toolbox) =>
    inspect(toolbox, ['keyboard'], async ({ keyboard }) => {
      const wanted = key.toLowerCase();
      const name = keyboard.keyNames.find((each) => each.toLowerCase() === wanted);
      if (name === undefined) throw executionError(`no key ${key}; there are ${keyboard.keyNames.join(', ')}.`);
      const { machine } = toolbox.rack.get(undefined);
      const held = heldKeys.get(machine) ?? new Set();
      heldKeys.set(machine, held);
      if (isPressed) held.add(name);
      else held.delete(name);
      await keyboard.hold([...held]);
      return { success: true, key: name, isPressed };
    }),
});

const sendMouseMove = defineDialectTool({
  name: 'send_mouse_move',
  title: 'Move the mouse',
  description: 'To a place on the screen, both coordinates from 0 to 1.',
  annotations: changes,
  input: z.strictObject({ x: z.number().min(0).max(1), y: z.number().min(0).max(1) }),
  call: ({ x, y }, toolbox) =>
    inspect(toolbox, ['mouse', 'screen'], async ({ mouse, screen }) => {
      const { width, height } = await screen.picture();
      await mouse.moveTo(Math.round(x * (width - 1)), Math.round(y * (height - 1)));
      return { success: true, x, y };
    }),
});

const sendMouseButton = defineDialectTool({
  name: 'send_mouse_button',
  title: 'Press or release a mouse button',
  description: 'A button goes down or up.',
  annotations: changes,
  input: z.strictObject({ button: z.string().max(20), isPressed: z.boolean() }),
  call: ({ button, isPressed }, toolbox) =>
    inspect(toolbox, ['mouse'], async ({ mouse }) => {
      const name = mouse.buttons.find((each) => each === button.toLowerCase());
      if (name === undefined) throw executionError(`no button ${button}; there are ${mouse.buttons.join(', ')}.`);
      await mouse.button(name, isPressed);
      return { success: true, button: name, isPressed };
    }),
});

/** Of its later tools, those that press something. */
export const inputTools: readonly DialectTool[] = [sendKeyboardKey, sendMouseMove, sendMouseButton];
