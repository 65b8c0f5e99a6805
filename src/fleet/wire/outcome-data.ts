import { z } from 'zod';
import type { Outcome } from '../../api/tool-host.ts';
import { type Advice, type ErrorType, errorTypes, MachineError } from '../../machine/errors.ts';

const suggested = z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()).optional() });
const errorShape = z.object({
  type: z.string(),
  message: z.string(),
  advice: z.array(z.array(z.union([z.string(), suggested]))),
  data: z.record(z.string(), z.unknown()),
});
/** Of an answer: anything, passed on as it came. */
const facts = z.custom<Record<string, unknown>>((data) => typeof data === 'object' && data !== null);
const around = z.object({
  before: z.number().optional(),
  after: z.number().optional(),
  isBeside: z.boolean().optional(),
  time: z.number().optional(),
});
const outcomeShape = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('answer'),
    answer: z.object({
      text: z.string(),
      data: facts.optional(),
      images: z.array(z.object({ mimeType: z.string(), base64: z.string() })).optional(),
    }),
    around: around.optional(),
  }),
  z.object({ type: z.literal('error'), error: errorShape, around: around.optional() }),
  z.object({ type: z.literal('confirm'), question: z.string(), token: z.string(), around: around.optional() }),
]);

export function errorData({ type, message, advice, data }: MachineError): Record<string, unknown> {
  return { type, message, advice, data };
}

export function errorFrom(data: unknown): MachineError {
  const { type, message, advice, data: facts } = errorShape.parse(data);
  const known = errorTypes.find((each): each is ErrorType => each === type) ?? 'INTERNAL';
  return new MachineError(known, message, advice as readonly Advice[], facts);
}

export function outcomeData(outcome: Outcome): Record<string, unknown> {
  return outcome.type === 'error' ? { ...outcome, error: errorData(outcome.error) } : { ...outcome };
}

export function outcomeFrom(data: unknown): Outcome {
  return plainAnswer(data) ?? checkedOutcome(data);
}

/** Most outcomes are a text with data; looking at just that costs a tenth of the whole check. */
function plainAnswer(data: unknown): Outcome | undefined {
  const { type, answer, around } = Object(data) as Readonly<Record<string, unknown>>;
  const { text, data: facts, images } = Object(answer) as Readonly<Record<string, unknown>>;
  if (type !== 'answer' || typeof text !== 'string' || images !== undefined) return undefined;
  if (facts !== undefined && (typeof facts !== 'object' || facts === null)) return undefined;
  if (around !== undefined && (typeof around !== 'object' || around === null)) return undefined;
  const { before, after, isBeside, time } = Object(around) as Readonly<Record<string, unknown>>;
  if (isBeside !== undefined || ![before, after, time].every(isNumberOrNothing)) return undefined;
  const scene = {
    ...(before !== undefined && { before: Number(before) }),
    ...(after !== undefined && { after: Number(after) }),
    ...(time !== undefined && { time: Number(time) }),
  };
  return {
    type,
    answer: { text, ...(facts !== undefined && { data: facts as Record<string, unknown> }) },
    ...(around !== undefined && { around: scene }),
  };
}

function isNumberOrNothing(value: unknown): boolean {
  return value === undefined || typeof value === 'number';
}

function checkedOutcome(data: unknown): Outcome {
  const { around: scene, ...outcome } = outcomeShape.parse(data);
  const { before, after, isBeside, time } = scene ?? {};
  const around = {
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    ...(isBeside !== undefined && { isBeside }),
    ...(time !== undefined && { time }),
  };
  const whole = scene && { around };
  if (outcome.type === 'error') return { type: 'error', error: errorFrom(outcome.error), ...whole };
  if (outcome.type === 'confirm') return { ...outcome, ...whole };
  const { text, data: facts, images } = outcome.answer;
  return { type: 'answer', answer: { text, ...(facts && { data: facts }), ...(images && { images }) }, ...whole };
}
