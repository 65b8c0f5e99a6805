import { jsonSchemaOf } from '../api/arguments.ts';
import { type Actor, requireRole } from '../api/roles.ts';
import type {
  Caller,
  Change,
  Deed,
  FollowedText,
  HostEvent,
  HostMoment,
  Inspection,
  InspectionRead,
  ListedTool,
  MachineSummary,
  MomentsWanted,
  Outcome,
  RecordedCall,
  RecordedMoment,
  ResourceFamily,
  StartKind,
  ToolHost,
} from '../api/tool-host.ts';
import type { Glimpse, Viewer, Watch } from '../api/watch.ts';
import type { ConsolePort } from '../machine/console.ts';
import { MachineError } from '../machine/errors.ts';
import { capabilitiesOf } from '../machine/machine.ts';
import type { Status } from '../machine/state.ts';
import type { Rack } from '../rack/rack.ts';
import type { RackedMachine } from '../rack/racked-machine.ts';
import { stateLine } from '../rack/state-line.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import { toolsetSummaries } from '../tools/toolsets.ts';
import { ChangeFeed } from './change-feed.ts';
import { glimpse } from './glimpse.ts';
import { inspect } from './inspect.ts';
import { allText, FollowedOutput } from './output-text.ts';
import { rackResources } from './resources.ts';
import { PersonDeeds } from './watch/person-deeds.ts';
import { PersonWatch } from './watch/person-watch.ts';
import { WatchRoom } from './watch/watch-room.ts';

/** Where files go that people bring. */
export type FileDrop = (name: string, bytes: Uint8Array) => string;

/** The machines of this process, behind the interface that everybody uses. */
export class LocalToolHost implements ToolHost {
  readonly tools: readonly ListedTool[];
  readonly toolsets = toolsetSummaries;
  readonly resources: readonly ResourceFamily[];
  readonly #toolbox: Toolbox;
  readonly #rack: Rack;
  readonly #feed = new ChangeFeed();
  readonly #room = new WatchRoom();
  readonly #drop: FileDrop | undefined;
  #kinds: readonly StartKind[] | undefined;

  constructor(toolbox: Toolbox, drop?: FileDrop) {
    this.#drop = drop;
    this.#toolbox = toolbox;
    this.#rack = toolbox.rack;
    this.tools = toolbox.tools;
    this.resources = rackResources(this.#rack);
    toolbox.stills.isWatched = (machine) => this.#room.viewersOf(machine).length > 0;
    this.#rack.onOutput((machine, console) => this.#feed.changed({ machine, console }));
    this.#rack.onStateChange((machine) => this.#feed.changed({ machine }));
  }

  call(tool: string, args: unknown, caller: Caller): Promise<Outcome> {
    return this.#toolbox.call(tool, args, caller);
  }

  check(tool: string, args: unknown, caller: Actor): void {
    this.#toolbox.check(tool, args, caller);
  }

  isListed(tool: string): boolean {
    return this.#toolbox.shelf.has(tool);
  }

  onToolsListed(listener: () => void): () => void {
    return this.#toolbox.shelf.onMore(listener);
  }

  unknownTool(name: string): MachineError {
    return this.#toolbox.unknown(name);
  }

  machines(): readonly MachineSummary[] {
    return this.#rack.machines.map((racked) => this.#summaryOf(racked));
  }

  onChange(listener: (change: Change) => void): () => void {
    return this.#feed.onChange(listener);
  }

  onListChange(listener: () => void): () => void {
    return this.#rack.onChange(listener);
  }

  onEvent(listener: (event: HostEvent) => void): () => void {
    return this.#rack.events.onEvent(listener);
  }

  moments(machine: string, wanted: MomentsWanted, listener: (moment: HostMoment) => void): (() => void) | undefined {
    return this.#find(machine)?.machine.moments?.watch(wanted, listener);
  }

  keepWhile(isWanted: (machine: string) => boolean): () => void {
    return this.#rack.keepWhile(isWanted);
  }

  visit(machine: string, who: string): (() => void) | undefined {
    const racked = this.#find(machine);
    if (!racked) return undefined;
    const leave = racked.visit(who);
    this.#rack.events.add(machine, { type: 'debugger_attached', text: `${who} attached` });
    return () => {
      leave();
      if (this.#find(machine) !== racked) return;
      this.#rack.events.add(machine, { type: 'debugger_detached', text: `${who} detached` });
    };
  }

  sessionEnded(session: string): void {
    this.#rack.forgetSession(session);
  }

  calls(after: number): readonly RecordedCall[] {
    return this.#rack.journal.entries.filter(({ seq }) => seq > after);
  }

  async recorded(seq: number): Promise<RecordedMoment | undefined> {
    const call = this.#rack.journal.find(seq);
    if (!call) return undefined;
    const still = async (number: number | undefined) => {
      const png = number === undefined ? undefined : await this.#toolbox.stills.read(number);
      return png && Buffer.from(png).toString('base64');
    };
    const [before, after] = [await still(call.before), await still(call.after)];
    return { call, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
  }

  audit(actor: Partial<Actor>, deed: Deed): void {
    this.#rack.audit.note(actor, deed);
  }

  outputOf(machine: string): Promise<string> | undefined {
    const port = this.#portOf(machine);
    return port && allText(port);
  }

  follow(machine: string): FollowedText {
    const output = new FollowedOutput(() => this.#portOf(machine));
    return { next: async () => output.next() };
  }

  watch(machine: string, console: string | undefined, actor: Actor, viewer: Viewer): Watch | undefined {
    const racked = this.#find(machine);
    const audit = (deed: Deed) => this.audit(actor, deed);
    audit({ tool: 'page watch', machine, outcome: 'done' });
    const deeds = new PersonDeeds(actor, machine, this.#rack.journal, () => this.#timeOf(machine));
    const handled = () => racked && this.#rack.handled(racked);
    return racked && new PersonWatch(racked, console, { actor, viewer, room: this.#room, audit, deeds, handled });
  }

  async glimpse(machine: string): Promise<Glimpse | undefined> {
    const racked = this.#find(machine);
    return racked && glimpse(racked.machine);
  }

  async inspect(machine: string, reads: readonly InspectionRead[], caller: Caller): Promise<Inspection | undefined> {
    const racked = this.#find(machine);
    return racked && inspect(racked, reads, this.#toolbox, caller);
  }

  kinds(): readonly StartKind[] {
    // Made once: schemas take milliseconds, and a station says every second what it knows.
    this.#kinds ??= [...this.#rack.kinds.values()].map(({ kind, summary, options }) => ({
      kind,
      summary,
      options: jsonSchemaOf(options, true),
    }));
    return this.#kinds;
  }

  async take(machine: string, actor: Actor): Promise<void> {
    requireRole(actor, 'use', 'Taking a machine');
    this.#rack.get(machine).hold.take(actor.person ?? actor.client, actor.client);
    this.#noteDeed(actor, 'take', machine, 'took control');
  }

  async handBack(machine: string, actor: Actor, note: string): Promise<void> {
    const racked = this.#find(machine);
    const person = actor.person ?? actor.client;
    if (racked?.hold.holder?.person !== person) return;
    // Keys that a slow machine has not seen yet would meet those of an agent who waits for this.
    await this.#room.handsOn(racked.machine).rest();
    if (!racked.hold.handBack(person, note)) return;
    const said = note.trim();
    this.#noteDeed(actor, 'hand back', machine, `gave control back${said === '' ? '' : `: ${said}`}`, { note: said });
  }

  async rename(machine: string, title: string, actor: Actor): Promise<void> {
    requireRole(actor, 'use', 'Renaming a machine');
    this.#rack.get(machine).title = title === '' ? undefined : title;
    this.audit(actor, { tool: 'page rename', machine, outcome: 'done' });
    this.#rack.stateChanged(machine);
  }

  drop(name: string, bytes: Uint8Array, actor: Actor): string {
    requireRole(actor, 'use', 'Bringing a file');
    this.audit(actor, { tool: 'page drop', outcome: 'done' });
    if (this.#drop) return this.#drop(name, bytes);
    throw new MachineError('UNAVAILABLE', 'This server takes no files.', 'Put it below an allowed path.');
  }

  #noteDeed(actor: Actor, what: string, machine: string, text: string, args = {}): void {
    this.audit(actor, { tool: `page ${what}`, machine, outcome: 'done' });
    new PersonDeeds(actor, machine, this.#rack.journal, () => this.#timeOf(machine)).did(what, args, text);
    this.#rack.events.add(machine, { type: 'person', text: `${actor.client} ${text}` });
  }

  /** Its own time, where what it showed then can be looked at later. */
  #timeOf(handle: string): number | undefined {
    const machine = this.#find(handle)?.machine;
    return machine?.film && machine.status().now?.time;
  }

  #find(handle: string): RackedMachine | undefined {
    return this.#rack.machines.find((each) => each.handle === handle);
  }

  #portOf(handle: string): ConsolePort | undefined {
    return this.#find(handle)?.machine.console?.ports[0];
  }

  #summaryOf(racked: RackedMachine): MachineSummary {
    const { handle, machine, isKept, title, callers } = racked;
    const { holder } = racked.hold;
    const status = racked.status();
    const watched: Status = this.#room.runs.has(machine) ? runByPerson(status) : status;
    return {
      handle,
      kind: machine.kind,
      state: status.state,
      line: stateLine(handle, status),
      notes: status.notes ?? [],
      isKept,
      consoles: machine.console?.ports.map(({ name }) => name) ?? [],
      watched: {
        state: watched.state,
        line: stateLine(handle, watched),
        hasScreen: machine.screen !== undefined && !this.#room.withoutDisplay.has(machine),
      },
      hasControl: machine.control !== undefined,
      hasSound: machine.audio !== undefined,
      capabilities: capabilitiesOf(machine),
      canRewind: machine.control?.canRewind === true,
      users: [...new Set([...callers, ...this.#room.viewersOf(machine)])],
      ...(title !== undefined && { title }),
      ...(holder && { holder }),
    };
  }
}

function runByPerson({ stop: _, ...status }: Status): Status {
  return { ...status, state: 'RUNNING', notes: [...(status.notes ?? []), 'for you, until you or an agent stop it'] };
}
