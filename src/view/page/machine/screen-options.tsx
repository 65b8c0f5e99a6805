import { useState } from 'preact/hooks';
import type { Controls } from '../controls.ts';
import { isByTouch } from '../device.ts';
import { pasteOnScreen } from '../session.ts';
import { input, isByPlace, isOpen, joystickPort, mayAct, showTrouble, watched } from '../store.ts';
import { PasteDialog } from './paste-dialog.tsx';
import { SoftKeyboard } from './soft-keyboard.tsx';

/** How the person's own keyboard, mouse and joystick reach the machine. */
export function ScreenOptions({ controls }: { readonly controls: Controls }) {
  const [isPasting, setPasting] = useState(false);
  const { keys, pointer, joysticks } = mayAct.value ? input.value : { joysticks: [] };
  const setPort = (value: string) => {
    const port = Number(value) || undefined;
    controls.joystickPort = port;
    joystickPort.value = port;
  };
  const setByPlace = (isOn: boolean) => {
    controls.byPlace = isOn;
    isByPlace.value = isOn;
  };
  const capture = () =>
    void controls.captureMouse().catch(() => {
      showTrouble(
        'The browser did not let the page capture the mouse: it waits a second after Esc. Press “Capture mouse” again.',
      );
    });
  return (
    <div id="options" hidden={!mayAct.value}>
      <button type="button" id="paste" disabled={!watched.value || !isOpen.value} onClick={() => setPasting(true)}>
        Paste text …
      </button>
      {keys && <SoftKeyboard controls={controls} />}
      <button type="button" id="capture" hidden={!pointer?.movements || isByTouch} onClick={capture}>
        Capture mouse
      </button>
      <label id="joystick-label" hidden={joysticks.length === 0}>
        joystick{' '}
        <select id="joystick" value={joystickPort.value ?? ''} onChange={(event) => setPort(event.currentTarget.value)}>
          <option value="">off</option>
          {joysticks.map((port) => (
            <option key={port} value={port}>{`port ${port}`}</option>
          ))}
        </select>
      </label>
      <label id="place-label" hidden={!keys}>
        <input
          type="checkbox"
          id="place"
          checked={isByPlace.value}
          onChange={(event) => setByPlace(event.currentTarget.checked)}
        />{' '}
        keys by place
      </label>
      {isPasting && <PasteDialog send={pasteOnScreen} close={() => setPasting(false)} />}
    </div>
  );
}
