import { move, remove, toOtherSide } from './layout.ts';
import { moment } from './moment.ts';
import type { PaneKind } from './pane-kinds.ts';

/** A pane in its frame: what it is, of which moment, and where it stands. */
export function Pane({ kind: { id, title, isOfMoment, component: Content } }: { readonly kind: PaneKind }) {
  const button = (label: string, sign: string, click: () => void) => (
    <button type="button" class="small" aria-label={`${label}: ${title}`} title={label} onClick={click}>
      {sign}
    </button>
  );
  return (
    <section
      class={`pane pane-${id}`}
      aria-labelledby={`pane-${id}`}
      data-stop={isOfMoment ? moment.value?.stop : undefined}
    >
      <header>
        <h2 id={`pane-${id}`}>{title}</h2>
        {isOfMoment && <span class="moment">{momentText()}</span>}
        <span class="pane-buttons">
          {button('Move up', '↑', () => move(id, -1))}
          {button('Move down', '↓', () => move(id, 1))}
          {button('Move to the other side', '⇄', () => toOtherSide(id))}
          {button('Close', '×', () => remove(id))}
        </span>
      </header>
      <div class="pane-content">
        <Content />
      </div>
    </section>
  );
}

/** Which moment all panes show. */
function momentText(): string {
  const shown = moment.value;
  if (!shown) return '…';
  return shown.stop === undefined ? `${shown.state.toLowerCase()}, ${shown.time ?? 'now'}` : `stop ${shown.stop}`;
}
