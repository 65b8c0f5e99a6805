import { isByTouch } from '../device.ts';
import { hintFor } from '../hint.ts';
import { input, isByPlace, isOpen, joystickPort, mayAct, noInput, watched } from '../store.ts';

/** What goes where, for the person at this machine. */
export function Hint({ isTerminal }: { readonly isTerminal: boolean }) {
  const machine = watched.value;
  // Until the server has said what there is nothing can be said of it.
  const isKnown = isOpen.value && input.value !== noInput;
  const sentences =
    machine && mayAct.value && isKnown
      ? hintFor({
          machine,
          input: input.value,
          isTerminal,
          isByPlace: isByPlace.value,
          isByTouch,
          joystickPort: joystickPort.value,
        })
      : [];
  return (
    <ul id="hint" aria-label="How to use keyboard and mouse">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
