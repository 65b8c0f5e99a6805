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
        <Pane key={kind.id} kind={kind} />
      ))}
    </div>
  );
}
