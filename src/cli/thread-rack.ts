import { randomBytes } from 'node:crypto';
import type { MessagePort } from 'node:worker_threads';
import { MainThread, mainSubjects } from '../fleet/threads/main-thread.ts';
import { PortWire } from '../fleet/threads/port-wire.ts';
import { ThreadStation } from '../fleet/threads/thread-station.ts';
import { AllowedFiles } from '../host/files/allowed-files.ts';
import { DroppedFiles } from '../host/files/dropped-files.ts';
import { OperatorFiles } from '../host/files/operator-files.ts';
import { StoredFiles } from '../host/files/stored-files.ts';
import { ProfileFolder } from '../host/profile-folder.ts';
import { builtInKinds, limitHistory } from '../machines/index.ts';
import { HistoryPool } from '../machines/shared/history-pool.ts';
import { Rack } from '../rack/rack.ts';
import { LocalToolHost } from '../station/local-tool-host.ts';
import type { Log } from './log.ts';
import { openToolbox } from './open-toolbox.ts';
import { policyOf } from './policy.ts';
import { machineSettings, rackLimits } from './rack-settings.ts';
import { catchStrayErrors } from './stray-errors.ts';
import type { ThreadData } from './threads.ts';

/** A rack of this thread's own; what there is once in the process it asks of the thread that serves. */
export function keepMachines(port: MessagePort, data: ThreadData): void {
  const { options, sections, env, self, runtimeDir, programs, operators, start, history } = data;
  const who = { host: start.host, incarnation: randomBytes(8).toString('hex') };
  const line = new PortWire();
  const main = new MainThread(line, start.host);
  const log: Log = (level, text) => main.tell('log', text, level);
  catchStrayErrors(log, () => process.exit(1));
  limitHistory(options.maxHistoryBytes, new HistoryPool(history.pool, history.row));

  const roots = { read: [...options.allowRead, ...programs], write: options.allowPath };
  const allowed = new AllowedFiles(roots, new OperatorFiles(operators));
  const dropped = new DroppedFiles(allowed, (path) => main.dropped(path));
  const rack = new Rack(
    builtInKinds,
    {
      runtimeDir,
      settings: machineSettings(options, env, self.command),
      files: options.nats === undefined ? dropped : new StoredFiles(dropped, main),
      profiles: ProfileFolder.ofUser(env),
      policy: policyOf(options, sections),
      guardProcessGroup() {
        throw new Error('built-in machines start no programs');
      },
      log,
      journalSink: (deed) => main.tell('journal', deed),
      // That somebody begins to look is noted where they came in.
      auditSink: (deed) => deed.includes('"tool":"page watch"') || main.tell('audit', deed),
      introducePage: () => main.page(),
      names: main,
      debugPorts: () => main,
    },
    // How many there may be is for the process as a whole.
    { ...rackLimits(options), machines: Number.POSITIVE_INFINITY },
  );
  const toolbox = openToolbox(options, { rack, log, partOf: { firstStill: start.firstStill } });
  const host = new LocalToolHost(toolbox);
  line.connect(port, true);
  const station = new ThreadStation({
    ...{ line, host, toolbox, who, log },
    version: self.version,
    demo: async (shown) => (await import('./demo.ts')).startDemo(shown),
  });
  line.subscribe(mainSubjects.close, () => {
    station.close();
    void rack.close().finally(() => process.exit(0));
  });
}
