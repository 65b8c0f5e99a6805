import { useEffect } from 'preact/hooks';
import type { ControlAction } from '../../channel.ts';
import { act } from '../link.ts';
import { isOpen, mayAct, showTrouble, watched } from '../store.ts';
import { goFullScreen } from './full-screen.ts';
import { SoundButton } from './sound-button.tsx';

interface ControlButton {
  readonly action: ControlAction;
  readonly label: string;
  readonly title: string;
  readonly keys: string;
}

/** Keys as in the debuggers of browsers and editors. */
const whole: readonly ControlButton[] = [
  { action: 'run', label: 'Run', title: 'Run', keys: 'F8' },
  { action: 'pause', label: 'Pause', title: 'Pause', keys: 'F8' },
  { action: 'reset', label: 'Reset', title: 'Reset', keys: '' },
];
const steps: readonly ControlButton[] = [
  { action: 'step into', label: 'Step', title: 'One instruction, into subroutines', keys: 'F11' },
  { action: 'step over', label: 'Over', title: 'One instruction, over a subroutine', keys: 'F10' },
  { action: 'step out', label: 'Out', title: 'To the end of this subroutine', keys: 'Shift+F11' },
  { action: 'step back', label: 'Back', title: 'One instruction back in time', keys: 'F9' },
];

/** What concerns the machine as a whole. */
export function Toolbar() {
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  const button = ({ action, label, title, keys }: ControlButton) => (
    <button
      type="button"
      key={action}
      id={action.replace(' ', '-')}
      title={titleOf({ title, keys, whyNot: whyNot(action) })}
      aria-keyshortcuts={keys === '' ? undefined : keys}
      disabled={whyNot(action) !== undefined}
      onClick={() => act({ type: 'control', action })}
    >
      {label}
    </button>
  );
  return (
    <div class="buttons toolbar" role="toolbar" aria-label="Machine">
      {watched.value?.hasControl && whole.map(button)}
      {steps.filter(isOffered).map(button)}
      <SoundButton />
      {document.fullscreenEnabled && (
        <button type="button" id="full" onClick={() => void goFullScreen()}>
          Full screen
        </button>
      )}
    </div>
  );
}

function isOffered({ action }: ControlButton): boolean {
  const { hasControl = false, canRewind = false, capabilities = [] } = watched.value ?? {};
  return hasControl && capabilities.includes('cpu') && (canRewind || action !== 'step back');
}

/** Why it cannot be pressed now. */
function whyNot(action: ControlAction): string | undefined {
  const { state } = watched.value ?? {};
  if (!isOpen.value) return 'Not connected to the server.';
  if (!mayAct.value) return 'Your token only lets you watch.';
  if (state === 'UNREACHABLE') return 'Its host does not answer.';
  if (!steps.some((each) => each.action === action)) return undefined;
  if (state === 'RUNNING') return 'It is running: press Pause (F8) before stepping.';
  return state === 'OFF' ? 'It is off.' : undefined;
}

function titleOf({ title, keys, whyNot }: { title: string; keys: string; whyNot: string | undefined }): string {
  const named = keys === '' ? title : `${title} (${keys})`;
  return whyNot === undefined ? named : `${named}. ${whyNot}`;
}

/** What the machine has taken for itself, or a dialog, does not come here. */
function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target instanceof Element && event.target.closest('dialog')) return;
  const stroke = `${event.shiftKey ? 'Shift+' : ''}${event.key}`;
  const isRunning = watched.value?.state === 'RUNNING';
  const go = isRunning ? 'pause' : 'run';
  const action = stroke === 'F8' ? go : steps.filter(isOffered).find(({ keys }) => keys === stroke)?.action;
  if (action === undefined || watched.value?.hasControl !== true) return;
  // The browser’s own use of these keys would come as a surprise while a machine is debugged.
  event.preventDefault();
  if (event.repeat) return;
  const why = whyNot(action);
  if (why === undefined) act({ type: 'control', action });
  else showTrouble(why);
}
