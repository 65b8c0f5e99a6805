import { watchedHandle } from '../store.ts';
import { layout, type Side } from './layout.ts';
import { Pane } from './pane.tsx';
import { offeredPanes } from './pane-bar.tsx';

/** The open panes of one side. */
export function PaneColumn({ side }: { readonly side: Side }) {
  const offered = offeredPanes();
  const kinds = layout.value[side].flatMap((id) => offered.filter((kind) => kind.id === id));
  return (
    <div class={`panes panes-${side}`}>
      {kinds.map((kind) => (
        // What is an address on one machine is none on another.
        <Pane key={`${watchedHandle.value} ${kind.id}`} kind={kind} />
      ))}
    </div>
  );
}
