import { watched } from '../store.ts';
import { isPaneOpen, toggle } from './layout.ts';
import { followsRunning, moment, refresh } from './moment.ts';
import { type PaneKind, paneKinds } from './pane-kinds.ts';

/** Which panes there are for this machine, to be opened and closed. */
export function PaneBar() {
  const isStale = watched.value?.state === 'RUNNING' && !followsRunning() && moment.value !== undefined;
  return (
    <div class="pane-bar" role="toolbar" aria-label="Panes">
      {offeredPanes().map(({ id, title }) => (
        <button type="button" class="small" key={id} aria-pressed={isPaneOpen(id)} onClick={() => toggle(id)}>
          {title}
        </button>
      ))}
      {isStale && (
        <button type="button" class="small" onClick={() => void refresh()}>
          Look now
        </button>
      )}
    </div>
  );
}

/** Those whose needs the machine meets. */
export function offeredPanes(): readonly PaneKind[] {
  const capabilities = watched.value?.capabilities ?? [];
  return paneKinds.filter(({ needs }) => needs.every((each) => capabilities.includes(each)));
}
