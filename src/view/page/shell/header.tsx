import { choose, isOpen, isSignedIn, machines, timeline, tokenWanted, watchedHandle } from '../store.ts';
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
          title="All machines"
          aria-label="frontpanel: all machines"
          aria-pressed={watchedHandle.value === undefined && !timeline.value}
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
            aria-label={`${handle}, ${state.toLowerCase()}`}
            aria-pressed={handle === watchedHandle.value && !timeline.value}
            onClick={() => choose(handle)}
          >
            <StateLamp state={state} />
            {handle}
          </button>
        ))}
      </nav>
      {!isFormAlone && (
        <button
          type="button"
          id="timeline"
          aria-pressed={timeline.value !== undefined}
          onClick={() => {
            timeline.value = timeline.value ? undefined : {};
          }}
        >
          Timeline
        </button>
      )}
      {!isFormAlone && <span class={isOpen.value ? 'link up' : 'link'}>{isOpen.value ? 'live' : 'no connection'}</span>}
    </header>
  );
}
