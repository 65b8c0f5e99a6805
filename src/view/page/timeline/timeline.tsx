import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { CallLine, TimelineEntry } from '../../channel.ts';
import { EntryDetail } from './entry-detail.tsx';
import { EntryRow } from './entry-row.tsx';
import { Filters, matches, noFilter } from './filters.tsx';

interface TimelineProps {
  /** Newest first. */
  readonly lines: readonly CallLine[];
  readonly chosen: number | undefined;
  choose(seq: number): void;
  read(seq: number): Promise<TimelineEntry | undefined>;
  /** Buttons above the list. */
  readonly tools?: ComponentChildren;
  /** What stands at its end. */
  readonly end?: ComponentChildren;
}

/** The work of agents and people as a list, and one entry of it as a whole. */
export function Timeline({ lines, chosen, choose, read, tools, end }: TimelineProps) {
  const [filter, setFilter] = useState(noFilter);
  const shown = lines.filter((line) => matches(line, filter));
  const detail = useRef<HTMLElement>(null);
  /** On a phone the entry is below the list, where nobody would look for it. */
  const open = (seq: number) => {
    choose(seq);
    if (matchMedia('(max-width: 60rem)').matches) detail.current?.scrollIntoView();
  };
  const walk = (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by === undefined) return;
    const at = shown.findIndex(({ seq }) => seq === chosen);
    const next = shown[Math.max(0, Math.min(shown.length - 1, at + by))];
    if (!next) return;
    event.preventDefault();
    choose(next.seq);
    document.querySelector<HTMLElement>(`#entry-${next.seq}`)?.focus();
  };
  return (
    <div class="timeline">
      <section aria-label="Calls">
        <Filters lines={lines} filter={filter} change={setFilter} />
        {tools}
        <p class="quiet" role="status">{`${shown.length} of ${lines.length} entries`}</p>
        <ol class="entries" aria-label="Calls, newest first" onKeyDown={walk}>
          {shown.map((line) => (
            <EntryRow key={line.seq} line={line} isChosen={line.seq === chosen} choose={open} />
          ))}
          {end}
        </ol>
      </section>
      <section class="entry" aria-label="Call" ref={detail}>
        {chosen === undefined ? (
          <p class="quiet">Choose a call to see what was asked and answered.</p>
        ) : (
          <EntryDetail key={chosen} seq={chosen} read={read} />
        )}
      </section>
    </div>
  );
}
