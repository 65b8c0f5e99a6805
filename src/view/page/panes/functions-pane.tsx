import { useState } from 'preact/hooks';
import { showGraphOf } from './graph-of.ts';
import { isPaneOpen, toggle } from './layout.ts';
import { useReads } from './moment.ts';
import { insteadOfList, listOf, plain } from './outcome.ts';

/** The functions that were found while the program ran; a click shows the graph of one. */
export function FunctionsPane() {
  const [filter, setFilter] = useState('');
  const [list] = useReads('functions', [
    { tool: 'functions_list', arguments: { limit: 100, format: 'json', ...(filter !== '' && { filter }) } },
  ]);
  const functions = listOf(list, 'functions');
  const show = (where: string) => {
    showGraphOf(where);
    if (!isPaneOpen('graph')) toggle('graph');
  };
  return (
    <>
      <input
        aria-label="Part of a name or address"
        placeholder="filter"
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
      />
      {functions.length === 0 && <p class="quiet">{insteadOfList(list, 'None have run yet.')}</p>}
      <table class="mono">
        <tbody>
          {functions.map((each) => (
            <tr key={plain(each.where)}>
              <td>
                <button type="button" class="link" onClick={() => show(plain(each.where))}>
                  {plain(each.where)}
                </button>
              </td>
              <td>{plain(each.name)}</td>
              <td class="number">{Number(each.calls).toLocaleString()}×</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
