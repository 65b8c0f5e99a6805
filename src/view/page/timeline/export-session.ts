import { effect } from '@preact/signals';
import { sessionFormat, sessionPage } from '../../session-file.ts';
import { tell } from '../link.ts';
import { readEntry } from '../requests.ts';
import { calls, isOpen, isWhole } from '../store.ts';

/** Asked for at a time. */
const together = 8;

/** Brings everything that the server has kept of the calls into one file, and lets the browser save it. */
export async function exportSession(): Promise<void> {
  const template = await (await fetch('/viewer.html')).text();
  await fetchAll();
  const seqs = calls.value.map(({ seq }) => seq).toSorted((a, b) => a - b);
  const entries = [];
  for (let at = 0; at < seqs.length; at += together) {
    entries.push(...(await Promise.all(seqs.slice(at, at + together).map(readEntry))));
  }
  if (!isOpen.value)
    throw new Error(
      'The connection to the server was lost during the export; nothing was exported. Export again once it is back.',
    );
  const found = entries.filter((entry) => entry !== undefined);
  const whole = found[0]?.call.seq === 1;
  const page = sessionPage(template, {
    ...{ format: sessionFormat, version: 1, exportedAt: Date.now() },
    ...{ isWhole: whole, entries: found },
  });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([page], { type: 'text/html' }));
  link.download = `session-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.html`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Until the list begins with the oldest call that is kept. */
function fetchAll(): Promise<void> {
  return new Promise((resolve) => {
    let asked: number | undefined;
    const stop = effect(() => {
      const last = calls.value.at(-1)?.seq;
      if (isWhole.value || !isOpen.value || last === undefined || last <= 1) {
        queueMicrotask(() => stop());
        resolve();
      } else if (last !== asked) {
        asked = last;
        tell({ type: 'earlier', before: last });
      }
    });
  });
}
