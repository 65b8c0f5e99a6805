import type { MachineInput, MachineLine, PagePointer } from '../channel.ts';
import { isPcKeyboard } from './buttons.ts';
import { keyAt } from './key-places.ts';

export interface HintSubject {
  readonly machine: MachineLine;
  readonly input: MachineInput;
  /** A console is shown, not the screen. */
  readonly isTerminal: boolean;
  readonly isByPlace: boolean;
  /** The person has fingers to point with, and no keys but those on the screen. */
  readonly isByTouch: boolean;
  readonly joystickPort: number | undefined;
}

/** What goes where, in sentences for the person at this machine. */
export function hintFor({ machine, input, isTerminal, isByPlace, isByTouch, joystickPort }: HintSubject): string[] {
  if (machine.state === 'UNREACHABLE')
    return ['Its host does not answer, and nothing that you do reaches it. What you see is from before.'];
  const still =
    machine.hasControl && machine.state !== 'RUNNING' && machine.state !== 'OFF'
      ? ['It is stopped and sees none of this until it runs: press Run.']
      : [];
  const { holder, isMine } = machine;
  if (holder !== undefined && !isMine)
    return [`${machine.handle} is held by ${holder}, and nothing that you do reaches it. “Take over” gives it to you.`];
  if (isByTouch) return [...still, ...touchHint(input, isTerminal)];
  if (isTerminal) return [...still, ...terminalHint];
  const names = new Set(input.keys?.names);
  return [
    ...still,
    ...(input.keys ? [...keyboardHint(names, isByPlace), pasted, kept] : ['It has no keyboard.']),
    ...(joystickPort === undefined ? [] : [joystickHint(joystickPort)]),
    ...mouseHint(input.pointer),
  ];
}

function touchHint({ keys, pointer }: MachineInput, isTerminal: boolean): string[] {
  if (isTerminal)
    return ['Tap the terminal and type: it goes over the serial line. The buttons are keys that a phone lacks.'];
  return [
    keys ? '“Keyboard” brings yours up. The buttons are keys that it lacks.' : 'It has no keyboard.',
    ...(pointer?.positions ? ['Mouse: once you have tapped the screen, a tap is a click there.'] : []),
  ];
}

const leave = 'Ctrl+Shift+Enter leaves it, for those who use the page without a mouse.';

const terminalHint = [
  'Click the terminal and type: it goes over the serial line, as with frontpanel attach.',
  'Ctrl+Shift+V pastes, Ctrl+Shift+C copies what is selected, Shift+Page Up scrolls back.',
  leave,
  'The browser keeps Ctrl+W, Ctrl+T and Ctrl+N: use the buttons.',
];

const pasted = `Ctrl+Shift+V types what you have copied, as fast as the machine takes it. ${leave}`;

const kept =
  'The browser keeps Ctrl+W, Ctrl+T, Ctrl+N and Ctrl+Tab, the system keys such as Alt+Tab: use the buttons, or full ' +
  'screen, where most of them arrive.';

/** Keys of home computers that others stand in for, where no key of the machine stands at that place. */
const standIns = [
  // What these machines call `escape`, where they have no Esc of their own.
  { code: 'Escape', key: 'escape', text: 'Esc is RUN/STOP' },
  { code: 'PageUp', key: 'restore', text: 'Page Up is RESTORE' },
  { code: 'Tab', key: 'ctrl', text: 'Tab and the left Ctrl key are CTRL' },
  { code: 'AltLeft', key: 'cbm', text: 'Alt is C=' },
] as const;

function keyboardHint(names: ReadonlySet<string>, isByPlace: boolean): string[] {
  const how = isByPlace
    ? 'Click the screen and type: each key is the one in the same place on the machine, whatever is printed on yours.'
    : 'Click the screen and type: characters arrive as you type them, whatever your layout; other keys by their place.';
  if (isPcKeyboard(names)) return [how];
  const own = standIns.filter(({ code, key }) => keyAt(code, names) === key).map(({ text }) => text);
  return own.length === 0 ? [how] : [how, `${own.join(', ')}.`];
}

function joystickHint(port: number): string {
  return `Arrow keys, the right Ctrl key and a gamepad are the joystick in port ${port}.`;
}

function mouseHint(pointer: PagePointer | undefined): string[] {
  if (!pointer) return [];
  const captured = 'sends its movements, and Esc gives it back';
  if (!pointer.positions) return [`Mouse: “Capture mouse” ${captured}.`];
  const wheel = pointer.wheel ? ', and its wheel turns' : '';
  const also = pointer.movements ? `; for programs that want movements, “Capture mouse” ${captured}` : '';
  return [`Mouse: once you have clicked the screen it points where it is${wheel}${also}.`];
}
