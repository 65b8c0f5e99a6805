import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { MachineLine } from '../../channel.ts';
import { act } from '../link.ts';
import { perform } from '../requests.ts';
import { StateLamp } from '../shell/state-lamp.tsx';
import { choose, mayAct, me } from '../store.ts';
import { fork } from './fork.ts';
import { glimpses } from './glimpses.ts';
import { Thumbnail } from './thumbnail.tsx';

/** One machine among all: how it looks, what it is, who uses it, and what can be done with it from here. */
export function MachineCard({ machine }: { readonly machine: MachineLine }) {
  const { handle, kind, state, title, users, holder, capabilities, isKept } = machine;
  const [isEnding, setEnding] = useState(false);
  const [isNaming, setNaming] = useState(false);
  const label = `${title ?? handle}, ${kind}, ${state}`;
  const field = useRef<HTMLInputElement>(null);
  const nameButton = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (isNaming) field.current?.focus();
  }, [isNaming]);
  const endNaming = () => {
    setNaming(false);
    nameButton.current?.focus();
  };
  const rename = (event: Event) => {
    event.preventDefault();
    if (field.current) act({ type: 'rename', machine: handle, title: field.current.value.trim() });
    endNaming();
  };
  return (
    <li class="card" data-machine={handle}>
      <button type="button" class="look" aria-label={`Open ${label}`} onClick={() => choose(handle)}>
        <Thumbnail glimpse={glimpses.value.get(handle)} label={label} />
      </button>
      <div class="card-text">
        {isNaming ? (
          <form class="line" onSubmit={rename}>
            <input
              ref={field}
              aria-label="Name"
              defaultValue={title ?? ''}
              maxLength={60}
              placeholder={handle}
              onKeyDown={({ key }) => key === 'Escape' && endNaming()}
            />
            <button type="submit" class="small">
              Save
            </button>
          </form>
        ) : (
          <h3>
            <StateLamp state={state} />
            {title ?? handle}
          </h3>
        )}
        <p>
          {title === undefined ? '' : `${handle} · `}
          {kind} · {state.toLowerCase()}
        </p>
        <p class="users">
          {holder === undefined ? '' : `held by ${holder} · `}
          {users.length === 0 ? 'not in use' : `used by ${users.join(', ')}`}
        </p>
      </div>
      {mayAct.value && (
        <div class="card-buttons">
          <button
            ref={nameButton}
            type="button"
            class="small"
            aria-label={`Rename ${handle}`}
            onClick={() => setNaming(!isNaming)}
          >
            Rename
          </button>
          {capabilities.includes('snapshots') && (
            <button type="button" class="small" aria-label={`Fork ${handle}`} onClick={() => void fork(handle)}>
              Fork
            </button>
          )}
          {!isKept &&
            me.value.role === 'own' &&
            (isEnding ? (
              <button
                type="button"
                class="small danger"
                aria-label={`Really stop ${handle}`}
                onBlur={() => setEnding(false)}
                onClick={() => void perform('machine_stop', { machine: handle })}
              >
                Really stop
              </button>
            ) : (
              <button type="button" class="small" aria-label={`Stop ${handle}`} onClick={() => setEnding(true)}>
                Stop
              </button>
            ))}
        </div>
      )}
    </li>
  );
}
