import { useMemo } from 'preact/hooks';
import { type KeyButton, keyButtons } from '../buttons.ts';
import type { Controls } from '../controls.ts';
import { input, mayAct } from '../store.ts';

const pressMs = 120;

/** Keys that are hard to reach from here, held as long as they are pressed. */
export function KeyButtons({ controls }: { readonly controls: Controls }) {
  const names = input.value.keys?.names.join('\n') ?? '';
  const buttons = useMemo(() => keyButtons(new Set(names === '' ? [] : names.split('\n'))), [names]);
  return (
    <section id="keys" aria-label="Keys" hidden={!mayAct.value}>
      {buttons.map((button) => (
        <HeldButton key={button.label} button={button} controls={controls} />
      ))}
    </section>
  );
}

function HeldButton({
  button: { label, keys },
  controls,
}: {
  readonly button: KeyButton;
  readonly controls: Controls;
}) {
  const letGo = () => controls.holdOnButtons([]);
  return (
    <button
      type="button"
      onPointerDown={(event) => {
        // The keyboard stays with the screen.
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        controls.holdOnButtons(keys);
      }}
      onPointerUp={letGo}
      onPointerCancel={letGo}
      onClick={({ detail }) => {
        // Pressed from the keyboard, there is no pointer to let go.
        if (detail !== 0) return;
        controls.holdOnButtons(keys);
        setTimeout(letGo, pressMs);
      }}
    >
      {label}
    </button>
  );
}
