import type { CallLine } from '../../channel.ts';
import { calls, timeline } from '../store.ts';
import { sizeText, timeText } from './texts.ts';

/** So many stand beside a machine; the timeline has all of them. */
const shownCalls = 100;

/** The last tool calls, newest first, as the agent made them and saw them answered. */
export function CallList() {
  return (
    <ol id="calls" aria-label="Last tool calls, newest first">
      {calls.value.slice(0, shownCalls).map((call) => (
        <CallEntry key={call.seq} call={call} />
      ))}
    </ol>
  );
}

function CallEntry({ call }: { readonly call: CallLine }) {
  const open = () => {
    timeline.value = { seq: call.seq };
  };
  return (
    <li class={[call.isError && 'bad', call.isPerson && 'person'].filter(Boolean).join(' ')}>
      <button type="button" class="link" title="Show in the timeline" onClick={open}>
        <strong>{call.tool}</strong>
      </button>{' '}
      <span class="facts">
        {[call.machine, timeText(call.at), `${call.durationMs} ms`, sizeText(call), call.client]
          .filter(Boolean)
          .join(' · ')}
      </span>
      <pre>{call.arguments}</pre>
      <pre>{call.answer}</pre>
    </li>
  );
}
