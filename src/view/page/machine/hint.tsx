import { hintFor } from '../hint.ts';
import { input, isByPlace, joystickPort, mayAct, watched } from '../store.ts';

const isByTouch = matchMedia('(hover: none) and (pointer: coarse)').matches;

/** What goes where, for the person at this machine. */
export function Hint({ isTerminal }: { readonly isTerminal: boolean }) {
  const machine = watched.value;
  const sentences =
    machine && mayAct.value
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
    <ul id="hint" aria-label="What goes where">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
