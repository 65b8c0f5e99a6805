import { useReads } from './moment.ts';
import { insteadOfList, textOf } from './outcome.ts';

/** Who called whom, the last call first. */
export function StackPane() {
  const [state] = useReads('stack', [{ tool: 'state_read', arguments: { instructions: 1 } }]);
  const frames = textOf(state)
    .split('\n')
    .filter((line) => /^ {2}(called from|interrupted at) /.test(line));
  if (frames.length === 0) return <p class="quiet">{insteadOfList(state, 'No subroutine call is active.')}</p>;
  return (
    <ol class="plain mono">
      {frames.map((frame, index) => (
        <li key={index}>{frame.trim()}</li>
      ))}
    </ol>
  );
}
