import { describe, expect, test } from 'vitest';
import type { Machine } from '../../src/machine/machine.ts';
import { Context } from './context.ts';
import { controlContract, framesContract, freeRunContract } from './control.contract.ts';
import { breakpointsContract, cpuContract, processorsContract, rewindContract } from './debugging.contract.ts';
import {
  audioContract,
  configurationContract,
  joystickContract,
  lightPenContract,
  mouseContract,
  paddlesContract,
} from './devices.contract.ts';
import { filmContract } from './film.contract.ts';
import {
  crashContract,
  monitorContract,
  networkContract,
  pagingContract,
  sourceContract,
  twinContract,
} from './guest.contract.ts';
import {
  addressesContract,
  annotationsContract,
  namesContract,
  symbolsContract,
  unloadContract,
  variablesContract,
} from './naming.contract.ts';
import {
  chipsContract,
  consoleContract,
  eventsContract,
  freezeContract,
  keyboardContract,
  mediaContract,
  memoryContract,
  packContract,
  screenContract,
  snapshotPeekContract,
  snapshotsContract,
  typingContract,
} from './parts.contract.ts';
import { programContract } from './program.contract.ts';
import {
  busTraceContract,
  cyclesContract,
  frameTraceContract,
  momentsContract,
  profileContract,
} from './raster.contract.ts';
import {
  callLogContract,
  coverageContract,
  functionsContract,
  graphContract,
  pastContract,
  routinesContract,
  traceContract,
} from './recording.contract.ts';
import { type Ability, abilities, type ContractSubject, has } from './subject.ts';
import { guestAgentContract, linuxContract } from './system.contract.ts';

export type { Bench, ContractSubject } from './subject.ts';

/** One suite for each thing that a machine may be able to do. */
const suites: Readonly<Record<Ability, (context: Context) => void>> = {
  control: controlContract,
  'control.frames': framesContract,
  'control.runFreely': freeRunContract,
  'control.rewind': rewindContract,
  cpu: cpuContract,
  processors: processorsContract,
  memory: memoryContract,
  'memory.freeze': freezeContract,
  breakpoints: breakpointsContract,
  snapshots: snapshotsContract,
  'snapshots.peek': snapshotPeekContract,
  'snapshots.pack': packContract,
  media: mediaContract,
  screen: screenContract,
  film: filmContract,
  keyboard: keyboardContract,
  chips: chipsContract,
  console: consoleContract,
  addresses: addressesContract,
  symbols: symbolsContract,
  'symbols.unload': unloadContract,
  annotations: annotationsContract,
  names: namesContract,
  variables: variablesContract,
  mouse: mouseContract,
  joystick: joystickContract,
  paddles: paddlesContract,
  lightPen: lightPenContract,
  configuration: configurationContract,
  audio: audioContract,
  trace: traceContract,
  coverage: coverageContract,
  functions: functionsContract,
  graph: graphContract,
  callLog: callLogContract,
  past: pastContract,
  routines: routinesContract,
  cycles: cyclesContract,
  moments: momentsContract,
  frameTrace: frameTraceContract,
  profile: profileContract,
  busTrace: busTraceContract,
  program: programContract,
  monitor: monitorContract,
  network: networkContract,
  paging: pagingContract,
  crash: crashContract,
  source: sourceContract,
  linux: linuxContract,
  guestAgent: guestAgentContract,
  twin: twinContract,
};

/** What every kind of machine owes its callers. */
export function describeMachine(subject: ContractSubject): void {
  describe(subject.kind.kind, () => {
    const context = new Context(subject);

    test('has everything that it gives no reason for not having, and nothing else', () => {
      const missing = abilities.filter((ability) => !has(context.machine, ability));
      expect(missing.sort()).toEqual(Object.keys(subject.lacks).sort());
    });

    for (const ability of abilities) {
      const reason = subject.lacks[ability];
      if (reason !== undefined) {
        test(`no ${ability}: ${reason}`, () => expect(has(context.machine, ability)).toBe(false));
      } else describe(ability, () => suites[ability](context));
    }

    if (subject.lacks.keyboard === undefined) {
      const { prompt, deaf } = subject;
      if (prompt && deaf === undefined) describe('typing', () => typingContract(context, prompt));
      else test(`no typing: ${deaf}`, () => expect(deaf).toBeDefined());
    }

    if (subject.lacks.control === undefined && subject.eventless === undefined) {
      describe('events', () => eventsContract(context));
    }

    describe('itself', () => ownContract(context));
  });
}

function ownContract(context: Context): void {
  const { subject } = context;

  test('says how it is in one line that begins with its handle', () => {
    const { stateLine, handle } = context.racked;
    expect(stateLine).toMatch(new RegExp(`^${handle} [A-Z ]+( at [^\\n]+)?( · [^\\n]+)*$`));
  });

  test('describes every option', () => {
    for (const [name, schema] of Object.entries(subject.kind.options.shape)) {
      const { description, def } = schema as { description?: string; def: { innerType?: { description?: string } } };
      expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
      expect(description ?? def.innerType?.description, name).toBeTruthy();
    }
  });

  test('can be disposed of twice and aborts what waits for it', async () => {
    const { gone, handle, machine } = context.racked;
    await context.rack.stop(handle, 'test');
    expect(gone.aborted).toBe(true);
    await machine[Symbol.asyncDispose]();
  });

  test('disposed of while it runs, it ends what runs', async () => {
    const { machine, handle } = context.racked;
    const running = runOn(machine);
    await context.rack.stop(handle, 'test');
    await running;
    expect(machine.status().state).not.toBe('RUNNING');
  });

  test('leaves its handle free for another', async () => {
    const { handle } = context.racked;
    await context.rack.stop(handle, 'test');
    expect((await context.start()).handle).toBe(handle);
  });

  test('several live side by side', async () => {
    const second = await context.start();
    expect(second.handle).not.toBe(context.racked.handle);
    expect(context.rack.machines).toHaveLength(2);
  });
}

/** A run that nobody but its machine's end will end; how it does is not said. */
async function runOn({ control }: Machine): Promise<void> {
  await control?.run({ wallMs: 600_000 }, new AbortController().signal).catch(() => undefined);
}
