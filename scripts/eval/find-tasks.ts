import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Task } from '../../examples/tasks/task.ts';

export interface NamedTask {
  /** The folder it is in. */
  readonly kind: string;
  readonly name: string;
  readonly task: Task;
}

const root = join(import.meta.dirname, '../../examples/tasks');

/** Every file in a folder of `examples/tasks` is a task. */
export async function findTasks(): Promise<readonly NamedTask[]> {
  const kinds = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const files = kinds.flatMap(({ name: kind }) =>
    readdirSync(join(root, kind))
      .filter((file) => file.endsWith('.ts'))
      .sort()
      .map((file) => ({ kind, file })),
  );
  return Promise.all(
    files.map(async ({ kind, file }) => {
      const { task } = (await import(join(root, kind, file))) as { task: Task };
      return { kind, name: file.replace(/\.ts$/, ''), task };
    }),
  );
}
