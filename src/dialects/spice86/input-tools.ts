import { z } from 'zod';
import { type DialectTool, defineDialectTool } from '../dialect.ts';
import { use } from './dos-machine.ts';
import { ownKeyName } from './key-names.ts';

const changes = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

const sendKeyboardKey = defineDialectTool({
  name: 'send_keyboard_key',
  title: 'Press or release a key',
  description: 'A key goes down or up: A, D1, F1, Enter, LeftShift, Kp7.',
  annotations: changes,
  input: z.strictObject({ key: z.string().max(40), isPressed: z.boolean() }),
  async call({ key: wanted, isPressed }, host, caller) {
    const { key } = await use(
      host,
      caller,
      'key_set',
      { key: ownKeyName(wanted), pressed: isPressed },
      { key: z.string() },
    );
    return { success: true, key, isPressed };
  },
});

const sendMouseMove = defineDialectTool({
  name: 'send_mouse_move',
  title: 'Move the mouse',
  description: 'To a place on the screen, both coordinates from 0 to 1.',
  annotations: changes,
  input: z.strictObject({ x: z.number().min(0).max(1), y: z.number().min(0).max(1) }),
  async call({ x, y }, host, caller) {
    await use(host, caller, 'pointer_set', { x, y }, {});
    return { success: true, x, y };
  },
});

const sendMouseButton = defineDialectTool({
  name: 'send_mouse_button',
  title: 'Press or release a mouse button',
  description: 'A button goes down or up.',
  annotations: changes,
  input: z.strictObject({ button: z.string().max(20), isPressed: z.boolean() }),
  async call({ button: wanted, isPressed }, host, caller) {
    const pressing = { button: wanted, pressed: isPressed };
    const { button } = await use(host, caller, 'button_set', pressing, { button: z.string() });
    return { success: true, button, isPressed };
  },
});

/** Of its later tools, those that press something. */
export const inputTools: readonly DialectTool[] = [sendKeyboardKey, sendMouseMove, sendMouseButton];
