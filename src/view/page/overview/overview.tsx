import { Notices } from '../shell/notices.tsx';
import { CallList } from '../timeline/call-list.tsx';

/** All machines. */
export function Overview() {
  return (
    <div class="machine-view">
      <section class="machine" aria-label="Machines">
        <Notices />
        <ul id="hint" aria-label="What goes where">
          <li>Start a machine with the tool machine_start; it appears here.</li>
        </ul>
      </section>
      <aside aria-labelledby="calls-title">
        <h2 id="calls-title">Tool calls</h2>
        <CallList />
      </aside>
    </div>
  );
}
