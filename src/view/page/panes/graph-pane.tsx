import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { useReads } from './moment.ts';
import { textOf } from './outcome.ts';

/** The function whose graph is shown; empty: all that has run. */
export const graphAddress = signal('');

/** The control-flow graph of what has run, as a picture. */
export function GraphPane() {
  const [isLarge, setLarge] = useState(false);
  const address = graphAddress.value;
  const [graph] = useReads('graph', [
    { tool: 'graph_read', arguments: { as: 'picture', ...(address !== '' && { address, scope: 'function' }) } },
  ]);
  const image = graph?.type === 'answer' ? graph.images?.[0] : undefined;
  return (
    <>
      <div class="line">
        <input
          aria-label="Address of a function"
          placeholder="all that has run"
          value={address}
          spellcheck={false}
          onChange={(event) => {
            graphAddress.value = event.currentTarget.value;
          }}
        />
        <button type="button" aria-pressed={isLarge} onClick={() => setLarge(!isLarge)}>
          Full size
        </button>
      </div>
      <p class="quiet">{textOf(graph)}</p>
      {image && (
        <div class="graph">
          <img
            class={isLarge ? '' : 'fitted'}
            alt={`Control-flow graph ${address}`}
            src={`data:image/png;base64,${image.base64}`}
          />
        </div>
      )}
    </>
  );
}
