import { dropOf, runFileOn } from '../overview/dropped-file.ts';
import { PaneBar } from '../panes/pane-bar.tsx';
import { PaneColumn } from '../panes/pane-column.tsx';
import { Notices } from '../shell/notices.tsx';
import { consoleName, mayAct, watched, watchedHandle } from '../store.ts';
import { Console } from './console.tsx';
import { HoldBar } from './hold-bar.tsx';
import { Screen } from './screen.tsx';
import { Toolbar } from './toolbar.tsx';
import { Views } from './views.tsx';

/** One machine: its screen or a console of it, and panes around that. */
export function MachineView() {
  const name = consoleName.value;
  const drop = (event: DragEvent) => {
    const file = dropOf(event);
    const machine = watched.value;
    if (file && machine?.capabilities.includes('program') && mayAct.value) void runFileOn(machine.handle, file);
  };
  return (
    <div class="machine-view">
      <section class="machine" aria-label="Machine" onDrop={drop}>
        <div class="bar">
          <Toolbar />
          <HoldBar />
        </div>
        <Views />
        {name === undefined ? (
          <Screen key={watchedHandle.value ?? ''}>
            <Notices />
          </Screen>
        ) : (
          <Console key={`${watchedHandle.value} ${name}`}>
            <Notices />
          </Console>
        )}
      </section>
      <aside aria-label="Panes">
        <PaneBar />
        <PaneColumn side="right" />
      </aside>
      <PaneColumn side="below" />
    </div>
  );
}
