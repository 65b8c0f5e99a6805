import { useEffect, useState } from 'preact/hooks';
import { callLine } from '../../call-line.ts';
import type { TimelineEntry } from '../../channel.ts';
import { sizeText, timeText } from './texts.ts';

interface EntryDetailProps {
  readonly seq: number;
  read(seq: number): Promise<TimelineEntry | undefined>;
}

const pictureType = /^image\/(png|webp|jpeg|gif)$/;

/** A call exactly as it was made and answered, with the images of the answer and the screen before and after. */
export function EntryDetail({ seq, read }: EntryDetailProps) {
  const [entry, setEntry] = useState<TimelineEntry | 'gone' | undefined>();
  useEffect(() => {
    let isWanted = true;
    void read(seq).then((found) => {
      if (isWanted) setEntry(found ?? 'gone');
    });
    return () => {
      isWanted = false;
    };
  }, [seq, read]);
  if (entry === undefined) return <p class="quiet">…</p>;
  if (entry === 'gone') return <p class="quiet">The server no longer has this call.</p>;
  const { call, before, after } = entry;
  const facts = [
    timeText(call.at),
    `${call.durationMs} ms`,
    sizeText(callLine(call)),
    call.client,
    call.machine,
    call.via !== undefined && `as ${call.via}`,
    call.within !== undefined && `a step of ${call.within}`,
    call.isPerson && 'by a person',
  ];
  return (
    <>
      <h2>{`${call.seq} ${call.tool}`}</h2>
      <p class="facts">{facts.filter(Boolean).join(' · ')}</p>
      {(before ?? after) !== undefined && (
        <div class="stills">
          <Still title="before" png={before} />
          <Still title="after" png={after} />
        </div>
      )}
      <h3>Arguments</h3>
      <pre class="mono asked">{JSON.stringify(call.arguments, null, 2)}</pre>
      <h3>{call.isError ? 'Answer: an error' : 'Answer'}</h3>
      <pre class={call.isError ? 'mono answered bad' : 'mono answered'}>{call.answer}</pre>
      {(call.images ?? []).map(({ mimeType, base64 }, index) =>
        pictureType.test(mimeType) ? (
          <img key={index} alt={`Answer ${index + 1}`} src={`data:${mimeType};base64,${base64}`} />
        ) : (
          <p class="quiet" key={index}>{`${mimeType}, ${Math.floor((base64.length * 3) / 4)} bytes`}</p>
        ),
      )}
    </>
  );
}

function Still({ title, png }: { readonly title: string; readonly png: string | undefined }) {
  return (
    <figure>
      {png === undefined ? (
        <span class="quiet">no picture</span>
      ) : (
        <img alt={`The screen ${title} the call`} src={`data:image/png;base64,${png}`} />
      )}
      <figcaption>{title}</figcaption>
    </figure>
  );
}
