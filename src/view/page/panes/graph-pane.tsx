import { useState } from 'preact/hooks';
import { watchedHandle } from '../store.ts';
import { BlockDetail } from './block-detail.tsx';
import { graphAddress, showGraphOf } from './graph-of.ts';
import { useReads } from './moment.ts';
import { fieldOf, listOf, plain, textOf } from './outcome.ts';

interface Chosen {
  readonly machine: string | undefined;
  readonly where: string;
}

/** The control-flow graph of what has run, as a picture. A click on a block shows its code, and what can be done with it. */
export function GraphPane() {
  const [isLarge, setLarge] = useState(false);
  const [chosen, setChosen] = useState<Chosen>();
  /** What is not finished yet: news from the machine must not take it away. */
  const [typed, setTyped] = useState<Chosen>();
  const machine = watchedHandle.value;
  const address = graphAddress.value;
  const [graph] = useReads('graph', [
    { tool: 'graph_read', arguments: { as: 'picture', ...(address !== '' && { address, scope: 'function' }) } },
  ]);
  const image = graph?.type === 'answer' ? graph.images?.[0] : undefined;
  const [width, height] = [Number(fieldOf(graph, 'width')), Number(fieldOf(graph, 'height'))];
  const share = (part: unknown, whole: number) => `${(100 * Number(part)) / whole}%`;
  const blocks = listOf(graph, 'places');
  const block = blocks.find(({ where }) => chosen?.machine === machine && plain(where) === chosen?.where);
  return (
    <>
      <div class="line">
        <input
          aria-label="Address of a function"
          placeholder="everything that has run"
          value={typed && typed.machine === machine ? typed.where : address}
          spellcheck={false}
          onInput={(event) => setTyped({ machine, where: event.currentTarget.value })}
          onChange={(event) => {
            showGraphOf(event.currentTarget.value);
            setTyped(undefined);
          }}
        />
        <button type="button" aria-pressed={isLarge} onClick={() => setLarge(!isLarge)}>
          Full size
        </button>
      </div>
      {block && (
        <BlockDetail key={plain(block.where)} where={plain(block.where)} instructions={Number(block.instructions)} />
      )}
      <p class="quiet">{graph ? textOf(graph) : '…'}</p>
      {image && (
        <div class="graph">
          <div class={isLarge ? 'sheet' : 'sheet fitted'}>
            <img alt={`Control-flow graph ${address}`} src={`data:image/png;base64,${image.base64}`} />
            {blocks.map(({ where, x, y, ...size }) => (
              <button
                type="button"
                key={plain(where)}
                class="block"
                aria-label={`Block ${plain(where)}`}
                aria-pressed={block !== undefined && plain(where) === plain(block.where)}
                style={{
                  left: share(x, width),
                  top: share(y, height),
                  width: share(size.width, width),
                  height: share(size.height, height),
                }}
                onClick={() => setChosen({ machine, where: plain(where) })}
              />
            ))}
          </div>
        </div>
      )}
    </>
  );
}
