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
    return ['Its host does not answer, so nothing you do reaches it. You see its last known state.'];
  const still =
    machine.hasControl && machine.state !== 'RUNNING' && machine.state !== 'OFF'
      ? ['It is stopped and gets no input until you press Run.']
      : [];
  const { holder, isMine } = machine;
  if (holder !== undefined && !isMine)
    return [`${machine.handle} is held by ${holder}, so nothing you do reaches it. “Take over” gives it to you.`];
  if (isByTouch) return [...still, ...touchHint(input, isTerminal)];
  if (isTerminal) return [...still, ...terminalHint];
  const names = new Set(input.keys?.names);
  return [
    ...still,
    ...(input.keys ? [...keyboardHint(names, isByPlace), pasted, kept] : ['This machine has no keyboard.']),
    ...(joystickPort === undefined ? [] : [joystickHint(joystickPort)]),
    ...mouseHint(input.pointer),
  ];
}

function touchHint({ keys, pointer }: MachineInput, isTerminal: boolean): string[] {
  if (isTerminal)
    return ['Tap the terminal and type: your input goes over the serial line. The buttons are keys that phones lack.'];
  return [
    keys ? '“Keyboard” opens your on-screen keyboard. The buttons are keys it lacks.' : 'This machine has no keyboard.',
    ...(pointer?.positions ? ['Mouse: after a first tap on the screen, each tap is a click at that point.'] : []),
  ];
}

const leave = 'Ctrl+Shift+Enter moves the focus back to the page if you have no mouse.';

const terminalHint = [
  'Click the terminal and type: your input goes over the serial line, as with frontpanel attach.',
  'Ctrl+Shift+V pastes, Ctrl+Shift+C copies the selection, Shift+Page Up scrolls back.',
  leave,
  'The browser keeps Ctrl+W, Ctrl+T and Ctrl+N for itself; use the buttons instead.',
];

const pasted = `Ctrl+Shift+V types the text you have copied, as fast as the machine accepts it. ${leave}`;

const kept =
  'The browser keeps Ctrl+W, Ctrl+T, Ctrl+N and Ctrl+Tab for itself, and the system keeps keys such as Alt+Tab. Use ' +
  'the buttons, or full screen, where most of them reach the machine.';

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
    ? 'Click the screen and type: each key acts as the one in the same place on the machine, whatever its label.'
    : 'Click the screen and type: characters arrive as you type them, whatever your layout; other keys go by their position.';
  if (isPcKeyboard(names)) return [how];
  const own = standIns.filter(({ code, key }) => keyAt(code, names) === key).map(({ text }) => text);
  return own.length === 0 ? [how] : [how, `${own.join(', ')}.`];
}

function joystickHint(port: number): string {
  return `The arrow keys, the right Ctrl key or a gamepad work as the joystick in port ${port}.`;
}

function mouseHint(pointer: PagePointer | undefined): string[] {
  if (!pointer) return [];
  const captured = 'sends its movements; Esc releases it';
  if (!pointer.positions) return [`Mouse: “Capture mouse” ${captured}.`];
  const wheel = pointer.wheel ? ' and the wheel' : '';
  const also = pointer.movements ? `. For programs that need movements, “Capture mouse” ${captured}` : '';
  return [`Mouse: after you click the screen, the machine follows the pointer${wheel}${also}.`];
}
