import { useState } from 'preact/hooks';
import { perform } from '../requests.ts';
import { mayAct, watchedHandle } from '../store.ts';
import { useReads } from './moment.ts';
import { fieldOf, listOf, numberOf, plain, textOf } from './outcome.ts';

const shownLines = 22;
/** An arrow at the program counter, the address, the bytes, the text. */
const lineForm = /^([> ]) (\S+) {2}(.*)$/;

interface CodeLine {
  readonly isNext: boolean;
  readonly address: string;
  readonly text: string;
}

/** The code around the program counter, with its source; a click on an address sets a breakpoint or takes it away. */
export function CodePane() {
  const [first, setFirst] = useState<string>();
  const [code, state, points] = useReads('code', [
    { tool: 'disassemble', arguments: { count: shownLines, ...(first !== undefined && { address: first }) } },
    { tool: 'state_read', arguments: { instructions: 0, format: 'json' } },
    { tool: 'breakpoint_list', arguments: {} },
  ]);
  const lines = linesOf(textOf(code));
  const pc = numberOf(fieldOf(state, 'pc'));
  const addresses = listOf(code, 'instructions').map(({ address }) => numberOf(address));
  // What has left the window is followed, what has not stays where it is. Of another machine it may be no address at all.
  const isElsewhere = code?.type === 'answer' && pc !== undefined && !addresses.includes(pc);
  if (first !== undefined && (isElsewhere || code?.type === 'error')) setFirst(undefined);
  else if (first === undefined && addresses[0] === pc) setFirst(lines.find(({ address }) => address !== '')?.address);
  const source = Object(fieldOf(state, 'source'));
  const set = listOf(points, 'breakpoints').filter(({ type }) => type === 'exec');
  let index = -1;
  return (
    <>
      {plain(source.file) !== '' && (
        <p class="source">
          <b>{`${plain(source.file).split(/[\\/]/).at(-1)}:${plain(source.line)}`}</b> {plain(source.text)}
        </p>
      )}
      <ol class="code">
        {lines.map((line) => {
          if (line.address === '')
            return (
              <li key={`label ${line.text}`} class="label">
                {line.text}
              </li>
            );
          index++;
          const at = addresses[index];
          const point = set.find(({ address }) => numberOf(address) === at);
          return (
            <li key={line.address} class={`${line.isNext ? 'next' : ''} ${point ? 'stops' : ''}`}>
              <button
                type="button"
                disabled={!mayAct.value}
                aria-pressed={point !== undefined}
                title={point ? 'Remove the breakpoint' : 'Set a breakpoint here'}
                onClick={() => void toggle(line.address, point)}
              >
                {line.address}
              </button>
              <code>{line.text}</code>
            </li>
          );
        })}
      </ol>
      {lines.length === 0 && <p class="quiet">{textOf(code)}</p>}
    </>
  );
}

async function toggle(address: string, point: Readonly<Record<string, unknown>> | undefined): Promise<void> {
  const machine = watchedHandle.value;
  if (point) await perform('breakpoint_delete', { machine, id: point.id });
  else await perform('breakpoint_set', { machine, address });
}

function linesOf(text: string): readonly CodeLine[] {
  return text.split('\n').flatMap((line) => {
    const [, arrow, address = '', rest = ''] = lineForm.exec(line) ?? [];
    if (arrow !== undefined) return [{ isNext: arrow === '>', address, text: rest }];
    return line.endsWith(':') ? [{ isNext: false, address: '', text: line }] : [];
  });
}
