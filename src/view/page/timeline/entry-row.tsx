import type { CallLine } from '../../channel.ts';
import { sizeText, timeText } from './texts.ts';

interface EntryRowProps {
  readonly line: CallLine;
  readonly isChosen: boolean;
  choose(seq: number): void;
}

/** One call in a line. */
export function EntryRow({ line, isChosen, choose }: EntryRowProps) {
  const { seq, tool, machine, client, durationMs, isError, isPerson, within } = line;
  const sort = [isError && 'bad', isPerson && 'person', within !== undefined && 'inner'].filter(Boolean).join(' ');
  return (
    <li class={sort}>
      <button type="button" id={`entry-${seq}`} aria-current={isChosen} onClick={() => choose(seq)}>
        <span class="number">{seq}</span>
        <strong>{tool}</strong>
        <span class="of">{machine ?? ''}</span>
        <span class="summary">{isPerson && tool.startsWith('page ') ? line.answer : line.arguments}</span>
        <span class="facts">
          {isError && <b>error · </b>}
          {[timeText(line.at), `${durationMs} ms`, sizeText(line), client].join(' · ')}
        </span>
      </button>
    </li>
  );
}
