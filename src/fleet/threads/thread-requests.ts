import { z } from 'zod';
import { type DebugPorts, debugProtocols } from '../../api/debug-ports.ts';
import type { RecordedCall } from '../../api/tool-host.ts';
import { MachineError } from '../../machine/errors.ts';
import type { Rack } from '../../rack/rack.ts';
import { errorData } from '../wire/outcome-data.ts';
import type { Wire } from '../wire/wire.ts';
import { mainSubjects } from './main-thread.ts';

export interface ThreadRequestParts {
  readonly rack: Rack;
  /** Names that threads have, and which of them has each. */
  readonly claims: Map<string, string>;
  readonly debugPorts: () => DebugPorts;
  dropped(path: string): Promise<Uint8Array>;
  log(level: string, text: string): void;
  writeAudit(line: string): void;
}

interface Answer {
  readonly head: Readonly<Record<string, unknown>>;
  readonly body?: Uint8Array;
}

const named = z.object({ name: z.string() });
const port = z.object({ machine: z.string(), protocol: z.enum(debugProtocols) });

/** Answers what threads ask of the one that serves, and writes down what they tell. The answer ends that. */
export function answerThreads(wire: Wire, parts: ThreadRequestParts): () => void {
  const { rack } = parts;
  const answers: Readonly<Record<string, (of: unknown, host: string) => Promise<Answer>>> = {
    async take(of, host) {
      const name = await rack.reserve(z.object({ kind: z.string() }).parse(of).kind);
      parts.claims.set(name, host);
      return { head: { name } };
    },
    async claim(of, host) {
      const { name } = named.parse(of);
      await rack.reserve('', name);
      parts.claims.set(name, host);
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
    dropped: async (of) => ({ head: {}, body: await parts.dropped(z.object({ path: z.string() }).parse(of).path) }),
  };

  const stopAnswering = wire.subscribe(mainSubjects.ask, ({ head: { what, of, host } }, reply) => {
    if (reply === undefined) return;
    void (async () => {
      try {
        const { head, body } = (await answers[String(what)]?.(of, String(host))) ?? { head: {} };
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
