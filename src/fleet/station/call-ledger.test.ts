import { expect, test } from 'vitest';
import type { Caller, Outcome, ToolHost } from '../../api/tool-host.ts';
import { Inbox } from '../gateway/inbox.ts';
import { RemoteCalls } from '../gateway/remote-calls.ts';
import { decodeMessage, encodeMessage } from '../wire/message.ts';
import { subjects } from '../wire/subjects.ts';
import type { Handler, Wire } from '../wire/wire.ts';
import { CallLedger } from './call-ledger.ts';

const target = { host: 'lab1', incarnation: 'i1', machine: 'c64-1' };
const caller: Caller = { client: 'Ann', role: 'use', signal: new AbortController().signal, progress() {} };

interface Sent {
  readonly subject: string;
  readonly message: Uint8Array;
  readonly reply: string | undefined;
}

/** Everything said, delivered at once unless it is held back. */
class OpenWire implements Wire {
  readonly connectedMs = Number.POSITIVE_INFINITY;
  readonly sent: Sent[] = [];
  isLost: (sent: Sent) => boolean = () => false;
  readonly #handlers = new Map<string, Handler>();

  onReconnect(): () => void {
    return () => {};
  }

  publish(subject: string, head: Readonly<Record<string, unknown>>, body?: Uint8Array, reply?: string): void {
    this.send(subject, encodeMessage(head, body), reply);
  }

  send(subject: string, message: Uint8Array, reply?: string): void {
    const sent = { subject, message, reply };
    this.sent.push(sent);
    if (!this.isLost(sent)) this.deliver(sent);
  }

  deliver({ subject, message, reply }: Sent): void {
    const handler =
      this.#handlers.get(subject) ?? this.#handlers.get(`${subject.slice(0, subject.lastIndexOf('.'))}.*`);
    handler?.(decodeMessage(message), reply, subject);
  }

  subscribe(subject: string, handler: Handler): () => void {
    this.#handlers.set(subject, handler);
    return () => this.#handlers.delete(subject);
  }

  to(what: 'call' | 'ask'): readonly Sent[] {
    return this.sent.filter(({ subject }) => subject === subjects.to('lab1', what));
  }
}

function fleet(isSafe = false) {
  const wire = new OpenWire();
  const carriedOut: string[] = [];
  const ends = new Map<string, () => void>();
  const call = (tool: string): Promise<Outcome> => {
    carriedOut.push(tool);
    const outcome: Outcome = { type: 'answer', answer: { text: `did ${tool}` } };
    return tool.startsWith('long')
      ? new Promise((resolve) => ends.set(tool, () => resolve(outcome)))
      : Promise.resolve(outcome);
  };
  const ledger = new CallLedger(wire, { call } as unknown as ToolHost, 'i1', { isSafe, answering() {} });
  wire.subscribe(subjects.to('lab1', 'call'), (message, reply) => ledger.take(message, reply ?? ''));
  wire.subscribe(subjects.to('lab1', 'ask'), (message, reply) => ledger.ask(message, reply ?? ''));
  const gateway = () => {
    const calls = new RemoteCalls(wire, new Inbox(wire));
    return async (tool: string) => {
      const outcome = await calls.call(target, tool, { machine: 'c64-1' }, caller);
      return outcome.type === 'answer' ? outcome.answer.text : outcome.type;
    };
  };
  /** What the station says of a call, when its gateway asks. */
  const asked = ({ message, reply }: Sent) => {
    const { gateway, number } = decodeMessage(message).head;
    wire.publish(subjects.to('lab1', 'ask'), { gateway, number, incarnation: 'i1' }, undefined, reply);
    return decodeMessage(wire.sent.at(-1)?.message ?? new Uint8Array()).head.t;
  };
  return { wire, carriedOut, ends, gateway, asked };
}

test('a call that arrives twice is carried out once, before and after its gateway has gone on', async () => {
  const { wire, carriedOut, gateway } = fleet();
  const call = gateway();
  expect(await call('one')).toBe('did one');
  const [one] = wire.to('call');
  wire.deliver(one as Sent);
  expect(await call('two')).toBe('did two');
  wire.deliver(one as Sent);
  expect(await call('three')).toBe('did three');
  expect(carriedOut).toEqual(['one', 'two', 'three']);
});

test('an answer is kept until the next call says that it was had', async () => {
  const { wire, gateway, asked } = fleet();
  const call = gateway();
  await call('one');
  const [one] = wire.to('call');
  expect(asked(one as Sent)).toBe('outcome');
  await call('two');
  const [, two] = wire.to('call');
  expect(asked(two as Sent)).toBe('outcome');
  expect(asked(one as Sent)).toBe('unknown');
});

test('a lost answer is there although later calls were answered, and so is that of a call which lasts', async () => {
  const { wire, carriedOut, ends, gateway } = fleet();
  const call = gateway();
  const long = call('long');
  let isLost = true;
  wire.isLost = ({ subject }) => isLost && subject.startsWith('fp.r.');
  const lost = call('lost');
  await Promise.resolve();
  isLost = false;
  expect(await call('later')).toBe('did later');
  expect(await lost).toBe('did lost');
  ends.get('long')?.();
  expect(await long).toBe('did long');
  expect(carriedOut).toEqual(['long', 'lost', 'later']);
});

test('a call that never came is sent again, and carried out although later ones were', async () => {
  const { wire, carriedOut, gateway } = fleet();
  const call = gateway();
  wire.isLost = ({ subject }) => subject === subjects.to('lab1', 'call');
  const lost = call('lost');
  wire.isLost = () => false;
  expect(await call('later')).toBe('did later');
  expect(await lost).toBe('did lost');
  expect(carriedOut).toEqual(['later', 'lost']);
});

test('each gateway has numbers of its own', async () => {
  const { carriedOut, gateway, wire, asked } = fleet();
  const [ann, bob] = [gateway(), gateway()];
  await ann('one');
  await ann('two');
  expect(await bob('three')).toBe('did three');
  const [, two] = wire.to('call');
  expect(asked(two as Sent)).toBe('outcome');
  expect(carriedOut).toEqual(['one', 'two', 'three']);
});

test('where nothing can be lost no answer is kept', async () => {
  const { wire, gateway, asked } = fleet(true);
  await gateway()('one');
  expect(asked(wire.to('call')[0] as Sent)).toBe('unknown');
});
