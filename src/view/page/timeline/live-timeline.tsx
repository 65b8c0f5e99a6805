import { useState } from 'preact/hooks';
import { tell } from '../link.ts';
import { readEntry } from '../requests.ts';
import { Trouble } from '../shell/notices.tsx';
import { calls, isWhole, showTrouble, timeline } from '../store.ts';
import { exportSession } from './export-session.ts';
import { Timeline } from './timeline.tsx';

/** The timeline of the server that the page is connected to. */
export function LiveTimeline() {
  const [isExporting, setExporting] = useState(false);
  const save = async () => {
    setExporting(true);
    await exportSession().catch((error: unknown) =>
      showTrouble(error instanceof Error ? error.message : String(error)),
    );
    setExporting(false);
  };
  const last = calls.value.at(-1)?.seq;
  return (
    <Timeline
      lines={calls.value}
      chosen={timeline.value?.seq}
      choose={(seq) => {
        timeline.value = { seq };
      }}
      read={readEntry}
      tools={
        <>
          <button type="button" id="export" class="small" disabled={isExporting} onClick={() => void save()}>
            {isExporting ? 'Exporting …' : 'Export this session'}
          </button>
          <Trouble />
        </>
      }
      end={
        !isWhole.value &&
        last !== undefined &&
        last > 1 && (
          <li>
            <button type="button" class="small" onClick={() => tell({ type: 'earlier', before: last })}>
              Earlier calls
            </button>
          </li>
        )
      }
    />
  );
}
