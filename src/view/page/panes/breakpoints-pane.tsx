import { useState } from 'preact/hooks';
import { perform } from '../requests.ts';
import { mayAct, watchedHandle } from '../store.ts';
import { useReads } from './moment.ts';
import { fieldOf, insteadOfList, listOf, plain, textOf } from './outcome.ts';

/** What stops the machine, and what is to stop it from now on. */
export function BreakpointsPane() {
  const [list] = useReads('breakpoints', [{ tool: 'breakpoint_list', arguments: {} }]);
  const points = listOf(list, 'breakpoints');
  const lines = textOf(list).split('\n');
  const types = fieldOf(list, 'types');
  const machine = watchedHandle.value;
  return (
    <>
      {points.length === 0 && (
        <p class="quiet">{insteadOfList(list, 'None yet. Click an address in “Code” to set one.')}</p>
      )}
      <ul class="plain mono">
        {points.map(({ id }, index) => (
          <li key={plain(id)} class="row">
            <span>{lines[index] ?? plain(id)}</span>
            <button
              type="button"
              class="small"
              disabled={!mayAct.value}
              aria-label={`Delete breakpoint ${plain(id)}`}
              onClick={() => void perform('breakpoint_delete', { machine, id })}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      {mayAct.value && <NewBreakpoint types={Array.isArray(types) ? types.map(plain) : ['exec']} />}
    </>
  );
}

function NewBreakpoint({ types }: { readonly types: readonly string[] }) {
  const [type, setType] = useState('exec');
  const [address, setAddress] = useState('');
  const [condition, setCondition] = useState('');
  const add = async (event: Event) => {
    event.preventDefault();
    const args = { machine: watchedHandle.value, type, address, ...(condition !== '' && { condition }) };
    if (!(await perform('breakpoint_set', args))) return;
    setAddress('');
    setCondition('');
  };
  return (
    <form class="line" onSubmit={(event) => void add(event)}>
      <select aria-label="Type" value={type} onChange={(event) => setType(event.currentTarget.value)}>
        {types.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <input
        aria-label="Address"
        placeholder="address"
        required
        value={address}
        spellcheck={false}
        onInput={(event) => setAddress(event.currentTarget.value)}
      />
      <input
        aria-label="Condition"
        placeholder="condition, e.g. a == 5"
        value={condition}
        spellcheck={false}
        onInput={(event) => setCondition(event.currentTarget.value)}
      />
      <button type="submit">Set</button>
    </form>
  );
}
