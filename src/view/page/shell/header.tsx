import { choose, isOpen, isSignedIn, machines, tokenWanted, watchedHandle } from '../store.ts';
import { StateLamp } from './state-lamp.tsx';

/** The name of the thing, and the machines to choose from. */
export function Header() {
  const isFormAlone = tokenWanted.value !== undefined && !isSignedIn.value;
  return (
    <header>
      <h1>
        <button
          type="button"
          id="all"
          aria-pressed={watchedHandle.value === undefined}
          onClick={() => choose(undefined)}
        >
          frontpanel
        </button>
      </h1>
      <nav id="machines" aria-label="Machines">
        {machines.value.map(({ handle, state }) => (
          <button
            type="button"
            key={handle}
            data-note={state.toLowerCase()}
            aria-pressed={handle === watchedHandle.value}
            onClick={() => choose(handle)}
          >
            <StateLamp state={state} />
            {handle}
          </button>
        ))}
      </nav>
      {!isFormAlone && <span class={isOpen.value ? 'link up' : 'link'}>{isOpen.value ? 'live' : 'no connection'}</span>}
    </header>
  );
}
