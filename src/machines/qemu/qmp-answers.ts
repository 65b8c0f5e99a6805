import { z } from 'zod';
import { MachineError } from '../../machine/errors.ts';

/** What of QEMU's answers is used here, by the command that asks for it. Newer versions may tell more. */
const answers = {
  'query-status': z.object({ running: z.boolean(), status: z.string() }),
  'query-memory-size-summary': z.object({ 'base-memory': z.number() }),
  'query-dump': z.object({ status: z.string(), total: z.number() }),
  'query-replay': z.object({ icount: z.number() }),
  'query-vnc': z.object({ host: z.string(), service: z.string() }),
  'query-jobs': z.array(z.object({ id: z.string(), status: z.string(), error: z.string().optional() })),
  'query-mice': z.array(z.object({ name: z.string(), current: z.boolean(), absolute: z.boolean() })),
  'query-chardev': z.array(z.object({ label: z.string(), 'frontend-open': z.boolean() })),
  'query-named-block-nodes': z.array(
    z.object({
      'node-name': z.string().optional(),
      drv: z.string(),
      file: z.string(),
      image: z.object({
        'virtual-size': z.number(),
        snapshots: z.array(z.object({ name: z.string(), 'vm-state-size': z.number() })).optional(),
      }),
    }),
  ),
  'x-query-virtio': z.array(z.object({ path: z.string(), name: z.string() })),
  'x-query-virtio-status': z.object({ status: z.object({ statuses: z.array(z.string()) }) }),
};

type Answers = typeof answers;

export type QmpQuery = keyof Answers;
export type QmpAnswer<Query extends QmpQuery> = z.infer<Answers[Query]>;

/** Refuses an answer that is not of the shape that every version of QEMU gives it. */
export function qmpAnswer<Query extends QmpQuery>(query: Query, answer: unknown): QmpAnswer<Query>;
export function qmpAnswer(query: QmpQuery, answer: unknown): unknown {
  const { success, data, error } = answers[query].safeParse(answer);
  if (success) return data;
  const [issue] = error.issues;
  const place = issue?.path.join('.') || 'the whole';
  throw new MachineError(
    'UNAVAILABLE',
    `QEMU answered ${query} in a form that is not known (${place}: ${issue?.message ?? 'wrong'}).`,
    'Use a released version of QEMU, 7.2 or newer.',
  );
}
