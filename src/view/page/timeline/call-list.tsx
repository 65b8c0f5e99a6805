import type { CallLine } from '../../channel.ts';
import { calls } from '../store.ts';

/** The last tool calls, newest first, as the agent made them and saw them answered. */
export function CallList() {
  return (
    <ol id="calls" aria-label="Last tool calls, newest first">
      {calls.value.map((call) => (
        <CallEntry key={call.seq} call={call} />
      ))}
    </ol>
  );
}

function CallEntry({ call }: { readonly call: CallLine }) {
  const time = new Date(call.at).toLocaleTimeString();
  return (
    <li class={call.isError ? 'bad' : ''}>
      <strong>{call.tool}</strong>
      <span>{` ${time} · ${call.durationMs} ms · ${call.client}`}</span>
      <pre>{call.arguments}</pre>
      <pre>{call.answer}</pre>
    </li>
  );
}
