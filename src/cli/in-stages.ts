import { readFileSync } from 'node:fs';

const plentyOfDescriptors = 256;

/** Node opens all files that a module imports at once: where a process may open few, they come in stages. */
export async function inStages(...stages: readonly (() => Promise<unknown>)[]): Promise<void> {
  if (!hasFewDescriptors()) return;
  for (const load of stages) await load();
}

export function hasFewDescriptors(): boolean {
  return descriptorLimit() < plentyOfDescriptors;
}

/** How many files this process may have open, where Linux says it. */
function descriptorLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
