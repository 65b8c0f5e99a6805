import { z } from 'zod';
import type { InspectionRead, ToolHost } from '../../api/tool-host.ts';
import type { WatchedPicture } from '../../api/watch.ts';
import { MachineError } from '../../machine/errors.ts';
import { errorData, outcomeData } from '../wire/outcome-data.ts';
import { actorFrom, callerFrom } from '../wire/shapes.ts';

export interface Answered {
  readonly head: Readonly<Record<string, unknown>>;
  readonly body?: Uint8Array;
}

const machine = z.object({ machine: z.string() });
const longestMs = 20_000;

type Query = (host: ToolHost, of: unknown, body: Uint8Array) => Promise<Answered> | Answered;

/** What gateways ask that changes nothing, or that a person does in passing: asked again where an answer is lost. */
const queries: Readonly<Record<string, Query>> = {
  async resource(host, of) {
    const { uri } = z.object({ uri: z.string() }).parse(of);
    for (const family of host.resources) {
      const content = await family.read(uri);
      if (content) return { head: { content } };
    }
    return { head: {} };
  },
  async output(host, of) {
    const text = await host.outputOf(machine.parse(of).machine);
    return { head: {}, ...(text !== undefined && { body: Buffer.from(text) }) };
  },
  async glimpse(host, of) {
    const found = await host.glimpse(machine.parse(of).machine);
    const { picture, lines } = found ?? {};
    return {
      head: { isThere: found !== undefined, ...(lines && { lines }), ...(picture && pictureHead(picture)) },
      ...(picture && { body: Buffer.concat([picture.palette, picture.pixels]) }),
    };
  },
  async inspect(host, of) {
    const wanted = machine.extend({ reads: z.array(z.unknown()), caller: z.unknown() }).parse(of);
    const caller = callerFrom(wanted.caller, AbortSignal.timeout(longestMs), () => {});
    const seen = await host.inspect(wanted.machine, wanted.reads as InspectionRead[], caller);
    return { head: seen ? { seen: { ...seen, outcomes: seen.outcomes.map(outcomeData) } } : {} };
  },
  async take(host, of) {
    const { actor, ...wanted } = machine.extend({ actor: z.unknown() }).parse(of);
    await host.take(wanted.machine, actorFrom(actor));
    return { head: {} };
  },
  async handBack(host, of) {
    const { actor, note, ...wanted } = machine.extend({ actor: z.unknown(), note: z.string() }).parse(of);
    await host.handBack(wanted.machine, actorFrom(actor), note);
    return { head: {} };
  },
  async rename(host, of) {
    const { actor, title, ...wanted } = machine.extend({ actor: z.unknown(), title: z.string() }).parse(of);
    await host.rename(wanted.machine, title, actorFrom(actor));
    return { head: {} };
  },
  drop(host, of, body) {
    const { actor, name } = z.object({ actor: z.unknown(), name: z.string() }).parse(of);
    return { head: { path: host.drop(name, body, actorFrom(actor)) } };
  },
};

export async function answerQuery(host: ToolHost, what: unknown, of: unknown, body: Uint8Array): Promise<Answered> {
  try {
    const query = Object.hasOwn(queries, String(what)) ? queries[String(what)] : undefined;
    return query ? await query(host, of, body) : { head: { error: errorData(unknownQuery(String(what))) } };
  } catch (error) {
    if (error instanceof MachineError) return { head: { error: errorData(error) } };
    throw error;
  }
}

function pictureHead({ width, height, palette }: WatchedPicture) {
  return { picture: { width, height, palette: palette.length } };
}

function unknownQuery(what: string): MachineError {
  const message = `This station does not know the query ${JSON.stringify(what.slice(0, 40))}.`;
  return new MachineError('UNAVAILABLE', message, 'Run the same version of frontpanel on all hosts.');
}
