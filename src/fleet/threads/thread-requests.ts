import { z } from 'zod';
import { type DebugPorts, debugProtocols } from '../../api/debug-ports.ts';
import type { RecordedCall } from '../../api/tool-host.ts';
import { MachineError } from '../../machine/errors.ts';
import type { TeamFiles } from '../../machine/files.ts';
import type { Rack } from '../../rack/rack.ts';
import { errorData } from '../wire/outcome-data.ts';
import { claimedShape } from '../wire/shapes.ts';
import type { Wire } from '../wire/wire.ts';
import { mainSubjects } from './main-thread.ts';

export interface ThreadRequestParts {
  readonly rack: Rack;
  /** Names that threads have, and which of them has each. */
  readonly claims: Map<string, string>;
  isThere(thread: string): boolean;
  readonly debugPorts: () => DebugPorts;
  dropped(path: string): Promise<Uint8Array>;
  /** Of the fleet, where there is one. */
  readonly store?: TeamFiles | undefined;
  log(level: string, text: string): void;
  writeAudit(line: string): void;
}

interface Answer {
  readonly head: Readonly<Record<string, unknown>>;
  readonly body?: Uint8Array;
}

const named = z.object({ name: z.string() });
const claimed = z.object({ machine: claimedShape });
const port = z.object({ machine: z.string(), protocol: z.enum(debugProtocols) });

/** Answers what threads ask of the one that serves, and writes down what they tell. The answer ends that. */
export function answerThreads(wire: Wire, parts: ThreadRequestParts): () => void {
  const { rack } = parts;
  /** A thread may end while its name is asked for. */
  const claim = async (name: string, host: string) => {
    if (parts.isThere(host)) parts.claims.set(name, host);
    else await rack.unreserve(name);
  };
  const answers: Readonly<Record<string, (of: unknown, host: string, body: Uint8Array) => Promise<Answer>>> = {
    async take(of, host) {
      const name = await rack.reserve(claimed.parse(of).machine);
      await claim(name, host);
      return { head: { name } };
    },
    async claim(of, host) {
      const { name, machine } = named.extend(claimed.shape).parse(of);
      await rack.reserve(machine, name);
      await claim(name, host);
      return { head: {} };
    },
    async release(of) {
      const { name } = named.parse(of);
      parts.claims.delete(name);
      await rack.unreserve(name);
      return { head: {} };
    },
    page: async () => ({ head: { page: await rack.introducePage() } }),
    async 'open port'(of) {
      const { machine, protocol, port: number } = port.extend({ port: z.number() }).parse(of);
      return { head: { port: await parts.debugPorts().open(machine, protocol, number) } };
    },
    async 'close port'(of) {
      const { machine, protocol } = port.parse(of);
      await parts.debugPorts().close(machine, protocol);
      return { head: {} };
    },
    async ports(of) {
      return { head: { ports: await parts.debugPorts().list(z.object({ machine: z.string() }).parse(of).machine) } };
    },
    async 'read stored'(of) {
      const bytes = await parts.store?.readStored(named.parse(of).name);
      return { head: {}, ...(bytes && { body: bytes }) };
    },
    async store(of, _, body) {
      await parts.store?.store(named.parse(of).name, body);
      return { head: {} };
    },
    dropped: async (of) => ({ head: {}, body: await parts.dropped(z.object({ path: z.string() }).parse(of).path) }),
  };

  const stopAnswering = wire.subscribe(mainSubjects.ask, ({ head: { what, of, host }, body: given }, reply) => {
    if (reply === undefined) return;
    void (async () => {
      try {
        const { head, body } = (await answers[String(what)]?.(of, String(host), given)) ?? { head: {} };
        wire.publish(reply, head, body);
      } catch (error) {
        if (!(error instanceof MachineError))
          parts.log('error', error instanceof Error ? `${error.stack}` : `${error}`);
        wire.publish(reply, { error: errorData(error instanceof MachineError ? error : failed(String(what))) });
      }
    })();
  });
  const stopWriting = wire.subscribe(mainSubjects.tell, ({ head: { what, line, level } }) => {
    if (what === 'log') parts.log(String(level), String(line));
    // Calls are written down where they came in; of a thread there is what people do at the page.
    else if (what === 'journal') {
      const { seq: _, ...deed } = JSON.parse(String(line)) as RecordedCall;
      rack.journal.add(deed);
    } else if (what === 'audit') parts.writeAudit(String(line));
  });
  return () => {
    stopAnswering();
    stopWriting();
  };
}

function failed(what: string): MachineError {
  return new MachineError('INTERNAL', `${what} failed because of an internal error.`, 'It was logged.');
}
