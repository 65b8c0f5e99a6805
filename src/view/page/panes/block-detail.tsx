import { useState } from 'preact/hooks';
import { perform } from '../requests.ts';
import { mayAct, watchedHandle } from '../store.ts';
import { showGraphOf } from './graph-of.ts';
import { refresh, useReads } from './moment.ts';
import { listOf, numberOf, textOf } from './outcome.ts';

const mostLines = 40;

/** One block of the graph: its code, a breakpoint on it, a name for it, the graph of the function it belongs to. */
export function BlockDetail({ where, instructions }: { readonly where: string; readonly instructions: number }) {
  const [name, setName] = useState('');
  const machine = watchedHandle.value;
  const count = Math.min(mostLines, Math.max(1, instructions));
  const [code, points] = useReads('block', [
    { tool: 'disassemble', arguments: { address: where, count } },
    { tool: 'breakpoint_list', arguments: {} },
  ]);
  const at = numberOf(listOf(code, 'instructions')[0]?.address);
  const point = listOf(points, 'breakpoints').find(({ type, address }) => type === 'exec' && numberOf(address) === at);
  const stop = async () => {
    if (point) await perform('breakpoint_delete', { machine, id: point.id });
    else await perform('breakpoint_set', { machine, address: where });
    await refresh();
  };
  const give = async (event: Event) => {
    event.preventDefault();
    if (!(await perform('names_write', { machine, address: where, name }))) return;
    setName('');
    await refresh();
  };
  return (
    <section class="block-detail" aria-label={`Block ${where}`}>
      <pre>{textOf(code)}</pre>
      <form class="line" onSubmit={(event) => void give(event)}>
        <button type="button" class="stop" disabled={!mayAct.value} aria-pressed={!!point} onClick={() => void stop()}>
          {point ? 'Remove the breakpoint' : 'Set a breakpoint here'}
        </button>
        <button type="button" onClick={() => showGraphOf(where)}>
          Its function
        </button>
        <input
          aria-label="A name for this place"
          placeholder="a name"
          value={name}
          maxLength={200}
          spellcheck={false}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button type="submit" disabled={!mayAct.value || name === ''}>
          Name
        </button>
      </form>
    </section>
  );
}
