import { act } from '../link.ts';
import { isOpen, mayAct, watched } from '../store.ts';
import { goFullScreen } from './full-screen.ts';
import { SoundButton } from './sound-button.tsx';

const actions = { run: 'Run', pause: 'Pause', reset: 'Reset' } as const;

/** What concerns the machine as a whole. */
export function Toolbar() {
  const isUsable = watched.value?.hasControl === true && isOpen.value && mayAct.value;
  return (
    <div class="buttons toolbar" role="toolbar" aria-label="Machine">
      {(['run', 'pause', 'reset'] as const).map((action) => (
        <button
          type="button"
          key={action}
          id={action}
          disabled={!isUsable}
          onClick={() => act({ type: 'control', action })}
        >
          {actions[action]}
        </button>
      ))}
      <SoundButton />
      <button type="button" id="full" onClick={() => void goFullScreen()}>
        Full screen
      </button>
    </div>
  );
}
