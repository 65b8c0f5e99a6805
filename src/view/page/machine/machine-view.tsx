import { Notices } from '../shell/notices.tsx';
import { consoleName, watchedHandle } from '../store.ts';
import { CallList } from '../timeline/call-list.tsx';
import { Console } from './console.tsx';
import { Screen } from './screen.tsx';
import { Toolbar } from './toolbar.tsx';
import { Views } from './views.tsx';

/** One machine: its screen or a console of it, and what goes with that. */
export function MachineView() {
  const name = consoleName.value;
  return (
    <div class="machine-view">
      <section class="machine" aria-label="Machine">
        <Toolbar />
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
      <aside aria-labelledby="calls-title">
        <h2 id="calls-title">Tool calls</h2>
        <CallList />
      </aside>
    </div>
  );
}
