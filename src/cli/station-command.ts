import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Inbox } from '../fleet/gateway/inbox.ts';
import { FleetLeases } from '../fleet/station/fleet-leases.ts';
import { HeldNames } from '../fleet/station/held-names.ts';
import { HostMemory } from '../fleet/station/host-memory.ts';
import { StationService } from '../fleet/station/station-service.ts';
import { FileStore } from '../fleet/wire/file-store.ts';
import type { FleetLine } from '../fleet/wire/fleet-line.ts';
import { withoutPassword } from '../fleet/wire/fleet-line.ts';
import { Names } from '../fleet/wire/names.ts';
import { quotaFrom } from '../fleet/wire/quota.ts';
import { isHostName, subjects } from '../fleet/wire/subjects.ts';
import { MachineError } from '../machine/errors.ts';
import { kinds } from '../machines/index.ts';
import { boundedWriter } from './bounded-writer.ts';
import type { ConfigSections } from './config-sections.ts';
import { exitCodes } from './exit-codes.ts';
import { openFleetLine, requireOwnStore } from './fleet-line.ts';
import { checkRecordings, keepConsoles } from './keep-consoles.ts';
import { openLog } from './log.ts';
import type { Surroundings } from './main.ts';
import type { OptionValues } from './options.ts';
import { stopSignal } from './stop-signal.ts';
import { catchStrayErrors } from './stray-errors.ts';
import { UsageError } from './usage-error.ts';
import { openWorld, type World } from './world.ts';

/** Keeps machines for a fleet until it is told to end. */
export async function station(options: OptionValues, sections: ConfigSections, around: Surroundings): Promise<number> {
  const { stderr, env, self } = around;
  const host = options.hostName ?? hostname().replaceAll('.', '-');
  const labels = labelsOf(options.label);
  const { quota, problems: wrong } = quotaFrom(
    options.quota,
    kinds.map(({ kind }) => kind),
  );
  const problems = [
    ...(options.nats === undefined ? ['A station needs --nats, the server of its fleet.'] : []),
    ...(isHostName(host) ? [] : [`--host-name: ${JSON.stringify(host)} is not 1 to 48 letters, digits, "_" or "-".`]),
    ...labels.problems,
    ...wrong,
  ];
  if (problems.length > 0) throw new UsageError(problems);
  const log = openLog(options.logLevel, options.logFile, boundedWriter(stderr));
  const line = await openFleetLine(options, `frontpanel station ${host}`, log, subjects.answersTo(host));
  await requireOwnStore(line, options, log);
  const who = { host, incarnation: randomBytes(8).toString('hex') };
  const told = (level: 'info' | 'error', text: string) => log(level, `fleet: ${text}`);
  const memory = new HostMemory(options.maxMemory || undefined);
  const names = new HeldNames({ line, names: new Names(line), who, quota, memory, log: told });
  const leases = new FleetLeases(line, who);
  const store = new FileStore(line, quota.store);
  let world: World | undefined;
  const ignoreStrays = catchStrayErrors(log, () => process.kill(process.pid, 'SIGTERM'));
  const stopped = stopSignal();
  try {
    await refuseTwin(line, host);
    const lost = await names.begin();
    await store.sweep();
    world = await openWorld(options, sections, env, self, log, undefined, { fleetHost: host, names, leases, store });
    const opened = world;
    const { rack } = opened;
    names.onLost = (name) =>
      void opened.stop(name, 'given up by the fleet').catch((error: unknown) => told('error', String(error)));
    names.onOver = (name, minutes) =>
      void opened
        .stop(name, `its ${minutes} minutes are over, which is the quota of the team`)
        .catch((error: unknown) => told('error', String(error)));
    const service = new StationService({
      ...{ line, who, quota, memory, log: told, labels: labels.values },
      still: (number) => opened.still(number),
      dropped: (path) => rack.files.read(path, Number.POSITIVE_INFINITY),
      host: world.host,
      rules: rack.policy.rules,
      capacity: options.maxMachines,
      version: self.version,
      socketNames: (machine) => opened.socketsOf(machine).map(({ file }) => file),
      socketPaths(machine, console) {
        const found = opened.socketsOf(machine).find(({ name }) => name === console);
        if (!found) return undefined;
        const at = (end: string) => join(opened.socketDirectory, `${found.file}.${end}`);
        return { in: at('in'), out: at('out'), people: at('people') };
      },
    });
    for (const machine of lost)
      rack.events.add(machine, {
        type: 'machine_stopped',
        text: `host ${host} ended unexpectedly, and its machine ${machine} with it`,
      });
    await checkRecordings(rack.files, sections.consoles);
    await keepConsoles(rack, sections.consoles, log);
    stderr.write(
      `frontpanel ${self.version}: station ${host} keeps machines for the fleet at ${withoutPassword(options.nats ?? '')}\n`,
    );
    await stopped;
    await drained(service, options.drainTimeout);
    service.hush();
    await world.close();
    world = undefined;
    await service.close();
    return exitCodes.ok;
  } finally {
    await world?.close();
    await leases.close();
    names.close();
    await line.close();
    ignoreStrays();
  }
}

/** Until its machines were stopped, the time is over, or it is told once more. */
async function drained(service: StationService, seconds: number): Promise<void> {
  if (seconds === 0) return;
  service.drain();
  const again = stopSignal();
  let isTold = false;
  void again.then(() => {
    isTold = true;
  });
  const end = performance.now() + seconds * 1000;
  while (service.machines > 0 && performance.now() < end && !isTold) await setTimeout(100);
}

/** Two hosts of one name would take each other's calls. */
async function refuseTwin(line: FleetLine, host: string): Promise<void> {
  const inbox = new Inbox(line, subjects.answersTo(host));
  const twin = await inbox.request(subjects.to(host, 'query'), { what: 'list' }, 2000).catch(() => undefined);
  inbox.close();
  if (!twin) return;
  const message = `The fleet already has a station named ${host}.`;
  throw new MachineError('NAME_TAKEN', message, 'Give this one another name with --host-name.');
}

function labelsOf(labels: readonly string[]) {
  const values: Record<string, string> = {};
  const problems: string[] = [];
  for (const label of labels) {
    const [, key, value] = /^([A-Za-z0-9_.-]{1,48})=([^,=\s]{1,100})$/.exec(label) ?? [];
    if (key === undefined || value === undefined) problems.push(`--label: ${JSON.stringify(label)} is not KEY=VALUE.`);
    else values[key] = value;
  }
  return { values, problems };
}
