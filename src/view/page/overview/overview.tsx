import { useEffect, useState } from 'preact/hooks';
import { tell } from '../link.ts';
import { Notices } from '../shell/notices.tsx';
import { isOpen, machines, mayAct } from '../store.ts';
import { CallList } from '../timeline/call-list.tsx';
import { dropOf, startWithFile } from './dropped-file.ts';
import { FileButton } from './file-button.tsx';
import { MachineCard } from './machine-card.tsx';
import { StartDialog } from './start-dialog.tsx';

/** All machines, live and in small; where they are started. */
export function Overview() {
  const [isStarting, setStarting] = useState(false);
  const [isOver, setOver] = useState(false);
  const isUsable = isOpen.value && mayAct.value;
  useEffect(() => {
    if (!isOpen.value) return;
    tell({ type: 'glimpses', isWanted: true });
    return () => tell({ type: 'glimpses', isWanted: false });
  }, [isOpen.value]);
  const drop = (event: DragEvent) => {
    const file = dropOf(event);
    setOver(false);
    if (file && isUsable) void startWithFile(file);
  };
  const drag = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <div class="overview">
      <section
        class={`rack ${isOver ? 'over' : ''}`}
        aria-labelledby="rack-title"
        onDrop={drop}
        onDragOver={drag}
        onDragLeave={() => setOver(false)}
      >
        <h2 id="rack-title" class="unseen">
          Machines
        </h2>
        <div class="rack-head">
          <Notices />
          {isUsable && (
            <div class="buttons">
              <FileButton />
              <button type="button" id="start" class="primary" onClick={() => setStarting(true)}>
                Start a machine …
              </button>
            </div>
          )}
        </div>
        <ul class="cards">
          {machines.value.map((machine) => (
            <MachineCard key={machine.handle} machine={machine} />
          ))}
        </ul>
        {machines.value.length === 0 && isOpen.value && (
          <div class="empty">
            <h2>Nothing is running yet</h2>
            <p>
              {isUsable
                ? 'Start a machine, drop a program here, or let your agent call machine_start; it appears here.'
                : 'Start a machine with the tool machine_start; it appears here.'}
            </p>
          </div>
        )}
        {isUsable && machines.value.length > 0 && (
          <p class="quiet">Drop a program onto this page to start it: .prg, .d64, .crt, .tap, .com, .exe …</p>
        )}
      </section>
      <aside aria-labelledby="calls-title">
        <h2 id="calls-title">Tool calls</h2>
        <CallList />
      </aside>
      {isStarting && <StartDialog close={() => setStarting(false)} />}
    </div>
  );
}
