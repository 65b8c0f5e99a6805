import { useState } from 'preact/hooks';
import { act } from '../link.ts';
import { giveBack } from '../losses.ts';
import { isOpen, mayAct, watched } from '../store.ts';

/** Who has the machine in their hands; takes it, and gives it back with a note for the agent. */
export function HoldBar() {
  const [note, setNote] = useState('');
  const machine = watched.value;
  if (!machine || !mayAct.value || !isOpen.value) return null;
  const { handle, holder, isMine } = machine;
  const take = () => act({ type: 'take', machine: handle });
  if (isMine) {
    const handBack = (event: Event) => {
      event.preventDefault();
      giveBack(handle);
      act({ type: 'handBack', machine: handle, note });
      setNote('');
    };
    return (
      <form id="hold" class="line held" onSubmit={handBack}>
        <span>You have control: agents wait.</span>
        <input
          id="hold-note"
          aria-label="A note to the agent"
          placeholder="a note to the agent"
          maxLength={500}
          value={note}
          onInput={(event) => setNote(event.currentTarget.value)}
        />
        <button type="submit" id="hand-back">
          Hand back
        </button>
      </form>
    );
  }
  return (
    <div id="hold" class={`line ${holder === undefined ? '' : 'held'}`}>
      {holder !== undefined && <span>{`Held by ${holder}.`}</span>}
      <button type="button" id="take" onClick={take}>
        {holder === undefined ? 'Take control' : 'Take over'}
      </button>
    </div>
  );
}
