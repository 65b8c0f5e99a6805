import { signal } from '@preact/signals';
import { render } from 'preact';
import { callLine } from '../../call-line.ts';
import { type SessionFile, sessionFormat } from '../../session-file.ts';
import { Timeline } from '../timeline/timeline.tsx';

/** A session that was exported: the same timeline, without a server. */

const session = sessionOf(document.querySelector('#session')?.textContent ?? '');
const entries = new Map(session?.entries.map((entry) => [entry.call.seq, entry]));
const lines = [...entries.values()].map(({ call }) => callLine(call)).toReversed();
const chosen = signal<number | undefined>(undefined);

function Viewer() {
  if (!session) return <p class="quiet">This file holds no session.</p>;
  const when = new Date(session.exportedAt).toLocaleString();
  return (
    <>
      <header>
        <h1>frontpanel</h1>
        <span>{`Session, exported ${when}: ${lines.length} entries${session.isWhole ? '' : '; older ones were not kept'}`}</span>
      </header>
      <main>
        <Timeline
          lines={lines}
          chosen={chosen.value}
          choose={(seq) => {
            chosen.value = seq;
          }}
          read={async (seq) => entries.get(seq)}
        />
      </main>
    </>
  );
}

function sessionOf(text: string): SessionFile | undefined {
  try {
    const given: SessionFile = JSON.parse(text);
    return given.format === sessionFormat && Array.isArray(given.entries) ? given : undefined;
  } catch {
    return undefined;
  }
}

const place = document.createElement('div');
document.body.prepend(place);
render(<Viewer />, place);
