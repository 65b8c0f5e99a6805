import { useRef } from 'preact/hooks';
import type { Controls } from '../controls.ts';
import { isOpen } from '../store.ts';

/** There is always something to delete: else no keyboard tells of its delete key. */
const filler = '  ';

/**
 * Brings up the keyboard of a phone. Those tell of texts, not of keys: what has changed in a field that nobody sees becomes
 * strokes on the machine, also while a word is still being made of them.
 */
export function SoftKeyboard({ controls }: { readonly controls: Controls }) {
  const field = useRef<HTMLInputElement>(null);
  const before = useRef(filler);
  const take = (value: string, isComposing: boolean) => {
    const old = before.current;
    let same = 0;
    while (same < old.length && old[same] === value[same]) same++;
    for (let gone = old.length; gone > same; gone--) controls.strike('Backspace');
    for (const character of value.slice(same)) controls.strike(character);
    before.current = value;
    if (!isComposing) clear();
  };
  const clear = () => {
    before.current = filler;
    if (field.current) field.current.value = filler;
  };
  return (
    <span id="soft-keyboard">
      <button type="button" id="soft-button" disabled={!isOpen.value} onClick={() => field.current?.focus()}>
        Keyboard
      </button>
      <input
        ref={field}
        id="soft"
        aria-label="Type here"
        autocapitalize="off"
        autocomplete="off"
        autocorrect="off"
        spellcheck={false}
        enterkeyhint="enter"
        onFocus={clear}
        onInput={(event) => take(event.currentTarget.value, event.isComposing)}
        onCompositionEnd={clear}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          controls.strike('Enter');
        }}
      />
    </span>
  );
}
