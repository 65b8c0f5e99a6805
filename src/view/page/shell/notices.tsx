import { act } from '../link.ts';
import { announcement, mayAct, me, stateLine, trouble, typing } from '../store.ts';

/** The lines below the screen: how the machine is, what is being typed, what went wrong. */
export function Notices() {
  const { typed, total } = typing.value ?? { typed: 0, total: 0 };
  return (
    <>
      <p id="state" tabIndex={-1}>
        {stateLine}
      </p>
      <p id="watching" hidden={mayAct.value || me.value.client === ''}>
        {mayAct.value ? '' : `Watching only: ${me.value.client} has the role “observe”.`}
      </p>
      <p id="announcement" class="unseen" role="status">
        {announcement}
      </p>
      <p id="typing" hidden={typing.value === undefined}>
        <span role="status">{`Typing: ${typed.toLocaleString()} of ${total.toLocaleString()} characters`}</span>{' '}
        <button type="button" id="stop-typing" onClick={() => act({ type: 'stopTyping' })}>
          Stop typing
        </button>
      </p>
      <Trouble />
    </>
  );
}

/** What went wrong, for some seconds. */
export function Trouble() {
  return (
    <p id="trouble" role="alert" hidden={trouble.value === ''}>
      {trouble}
    </p>
  );
}
