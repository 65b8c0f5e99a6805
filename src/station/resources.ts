import { jsonData } from '../api/json-data.ts';
import type { Change, ResourceContent, ResourceEntry, ResourceFamily } from '../api/tool-host.ts';
import { visibleData, visibleText } from '../api/visible.ts';
import type { ConsolePort } from '../machine/console.ts';
import type { ScreenCapability } from '../machine/screen.ts';
import type { Rack } from '../rack/rack.ts';
import { fenced } from '../tools/console/fence.ts';
import { plainOutput } from '../tools/console/plain-output.ts';
import { describeKind } from '../tools/machine-kinds.ts';
import { screenPng } from '../tools/picture/screen-png.ts';

const maxOutputBytes = 24_000;
const plain = 'text/plain';
const json = 'application/json';
const png = 'image/png';

interface ConsoleView {
  readonly name: string;
  readonly title: string;
  text(port: ConsolePort): Promise<string>;
}

const consoleViews: readonly ConsoleView[] = [
  {
    name: 'output',
    title: 'The newest output of a console, as plain text',
    text: async (port) => fenced(plainOutput(port.output, maxOutputBytes), `newest output of ${port.name}`),
  },
  {
    name: 'screen',
    title: 'What a terminal on a console shows now',
    text: async (port) => fenced((await port.screen.read()).lines.join('\n'), `screen of ${port.name}`),
  },
];

/** What can be read without a tool: kinds, states, consoles. */
export function rackResources(rack: Rack): readonly ResourceFamily[] {
  return [
    kindFamily(rack),
    statusFamily(rack),
    stateFamily(rack),
    pictureFamily(rack),
    ...consoleViews.map((view) => consoleFamily(rack, view)),
  ];
}

function kindFamily(rack: Rack): ResourceFamily {
  const uri = (kind: string) => `kind://${kind}`;
  return {
    template: {
      uriTemplate: 'kind://{kind}',
      name: 'kind',
      title: 'A kind of machine and its options',
      mimeType: plain,
    },
    list: () => [...rack.kinds.keys()].map((kind) => ({ uri: uri(kind), name: `kind ${kind}`, mimeType: plain })),
    read(wanted) {
      const kind = [...rack.kinds.values()].find((each) => uri(each.kind) === wanted);
      return kind && contents(wanted, describeKind(kind));
    },
    complete: (_variable, typed) => [...rack.kinds.keys()].filter((kind) => kind.startsWith(typed)),
  };
}

function statusFamily(rack: Rack): ResourceFamily {
  return {
    template: {
      uriTemplate: 'machine://{machine}/status',
      name: 'status',
      title: 'The state line of a machine',
      mimeType: plain,
    },
    list: () =>
      rack.machines.map(({ handle }) => ({ uri: statusUri(handle), name: `state of ${handle}`, mimeType: plain })),
    read(wanted) {
      const racked = rack.machines.find(({ handle }) => statusUri(handle) === wanted);
      return racked && contents(wanted, racked.stateLine);
    },
    complete: (_variable, typed) => handles(rack).filter((handle) => handle.startsWith(typed)),
    // What a console prints, and how its link is, is part of the state line.
    changed: ({ machine }) => [statusUri(machine)],
    owner: (uri) => /^machine:\/\/([^/]+)\/status$/.exec(uri)?.[1],
  };
}

/** The same in numbers: where the machine is, and everything about its last stop. */
function stateFamily(rack: Rack): ResourceFamily {
  return {
    template: {
      uriTemplate: 'machine://{machine}/state',
      name: 'state',
      title: 'The state of a machine and its last stop, as data',
      mimeType: json,
    },
    list: () =>
      rack.machines.map(({ handle }) => ({
        uri: stateUri(handle),
        name: `state of ${handle} as data`,
        mimeType: json,
      })),
    read(wanted) {
      const racked = rack.machines.find(({ handle }) => stateUri(handle) === wanted);
      if (!racked) return undefined;
      const { state, where, now, stop, time, notes } = racked.machine.status();
      const data = jsonData({ machine: racked.handle, state, where, now, stop, time, notes });
      return Promise.resolve({ uri: wanted, mimeType: json, text: JSON.stringify(visibleData(data)) });
    },
    complete: (_variable, typed) => handles(rack).filter((handle) => handle.startsWith(typed)),
    changed: ({ machine }) => [stateUri(machine)],
    owner: (uri) => /^machine:\/\/([^/]+)\/state$/.exec(uri)?.[1],
  };
}

/** What a machine's screen shows, for programs that show it to people. */
function pictureFamily(rack: Rack): ResourceFamily {
  const shown = () => rack.machines.filter(({ machine }) => machine.screen !== undefined);
  return {
    template: {
      uriTemplate: 'machine://{machine}/screen',
      name: 'screen',
      title: 'What the screen of a machine shows, as a picture',
      mimeType: png,
    },
    list: () => shown().map(({ handle }) => ({ uri: pictureUri(handle), name: `screen of ${handle}`, mimeType: png })),
    read(wanted) {
      const screen = shown().find(({ handle }) => pictureUri(handle) === wanted)?.machine.screen;
      return screen && pictureOf(wanted, screen);
    },
    complete: (_variable, typed) => handles(rack).filter((handle) => handle.startsWith(typed)),
    owner: (uri) => /^machine:\/\/([^/]+)\/screen$/.exec(uri)?.[1],
  };
}

async function pictureOf(uri: string, screen: ScreenCapability): Promise<ResourceContent> {
  return { uri, mimeType: png, blob: Buffer.from(await screenPng(screen)).toString('base64') };
}

function consoleFamily(rack: Rack, view: ConsoleView): ResourceFamily {
  const ports = () =>
    rack.machines.flatMap(({ handle, machine }) => (machine.console?.ports ?? []).map((port) => ({ handle, port })));
  const uriOf = ({ handle, port }: { handle: string; port: ConsolePort }) => consoleUri(handle, port.name, view);
  return {
    template: {
      uriTemplate: `console://{machine}/{port}/${view.name}`,
      name: `console ${view.name}`,
      title: view.title,
      mimeType: plain,
    },
    list: () => ports().map((each): ResourceEntry => ({ uri: uriOf(each), name: nameOf(each, view), mimeType: plain })),
    read(wanted) {
      const found = ports().find((each) => uriOf(each) === wanted);
      return found && view.text(found.port).then((text) => contents(wanted, text));
    },
    complete(variable, typed) {
      const values = variable === 'machine' ? handles(rack) : ports().map(({ port }) => port.name);
      return [...new Set(values)].filter((value) => value.startsWith(typed));
    },
    owner: (uri) => (uri.endsWith(`/${view.name}`) ? /^console:\/\/([^/]+)\//.exec(uri)?.[1] : undefined),
    changed: ({ machine, console }: Change) => (console === undefined ? [] : [consoleUri(machine, console, view)]),
  };
}

const statusUri = (handle: string) => `machine://${handle}/status`;
const pictureUri = (handle: string) => `machine://${handle}/screen`;
const stateUri = (handle: string) => `machine://${handle}/state`;
const consoleUri = (handle: string, port: string, view: ConsoleView) => `console://${handle}/${port}/${view.name}`;
const nameOf = ({ handle, port }: { handle: string; port: ConsolePort }, view: ConsoleView) =>
  `${view.name} of ${handle} ${port.name}`;
const handles = (rack: Rack) => rack.machines.map(({ handle }) => handle);
const contents = async (uri: string, text: string): Promise<ResourceContent> => ({
  uri,
  mimeType: plain,
  text: visibleText(text),
});
