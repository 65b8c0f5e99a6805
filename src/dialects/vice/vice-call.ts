import { z } from 'zod';
import type { Caller, MachineSummary, ToolHost, ToolImage } from '../../api/tool-host.ts';
import { advice, call, MachineError } from '../../machine/errors.ts';
import { factsOf, type ViceMachineFacts, viceMachines } from './machines.ts';
import { type AddressInput, addressText } from './numbers.ts';

/** A call that a person has to be asked about first. */
export class ConfirmationNeeded extends Error {
  readonly question: string;
  readonly token: string;

  constructor(question: string, token: string) {
    super(question);
    this.question = question;
    this.token = token;
  }
}

type Used<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>> & { readonly images: readonly ToolImage[] };

/** One call of a tool of this dialect: the machine it is for, and the way to our tools. */
export class ViceCall {
  readonly host: ToolHost;
  readonly caller: Caller;

  constructor(host: ToolHost, caller: Caller) {
    this.host = host;
    this.caller = caller;
  }

  /** Consoles of the configuration may stand beside it. */
  get machine(): MachineSummary {
    const found = this.host.machines().find(({ kind }) => kind in viceMachines);
    if (found) return found;
    throw new MachineError(
      'UNAVAILABLE',
      'The machine is gone: it was stopped because nobody used it.',
      advice`Start it again with ${call('machine_start')}.`,
    );
  }

  get facts(): ViceMachineFacts {
    return factsOf(this.machine.kind);
  }

  /** The data of one of our tools on the machine. */
  async use<Shape extends z.ZodRawShape>(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    shape: Shape,
  ): Promise<Used<Shape>> {
    return this.ask(tool, { machine: this.machine.handle, ...args }, shape);
  }

  /** The same of a tool that needs no machine. */
  async ask<Shape extends z.ZodRawShape>(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    shape: Shape,
  ): Promise<Used<Shape>> {
    const outcome = await this.host.call(tool, args, this.caller);
    if (outcome.type === 'error') throw inOriginalWords(outcome.error);
    if (outcome.type === 'confirm') throw new ConfirmationNeeded(outcome.question, outcome.token);
    const { data = {}, images = [] } = outcome.answer;
    return { ...z.object(shape).parse(data), images };
  }

  /** The number of an address however it was written. */
  async address(address: AddressInput): Promise<number> {
    if (typeof address === 'number') return address;
    return (await this.use('address_read', { address: addressText(address) }, { address: z.number() })).address;
  }

  async bytes(address: AddressInput, length: number, space?: string): Promise<Uint8Array> {
    const wanted = { address: addressText(address), length, ...(space !== undefined && { space }) };
    return Buffer.from((await this.use('bytes_read', wanted, { bytes: z.string() })).bytes, 'hex');
  }
}

/** The original has one sentence for all ranges that do not fit. */
function inOriginalWords(error: MachineError): MachineError {
  const { type, advice: ways, data } = error;
  if (type !== 'ADDRESS_OUT_OF_BOUNDS') return error;
  return new MachineError(type, 'Invalid address range', ways, data, { cause: error });
}
