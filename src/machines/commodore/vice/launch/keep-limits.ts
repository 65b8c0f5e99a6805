import type { Host } from '../../../../machine/host.ts';
import type { ViceFolder } from './vice-folder.ts';

interface Limit {
  readonly path: string;
  readonly bytes: number;
}

/** Empties files that have grown beyond their limits, again and again until the answer is called. A failure is told once. */
export function keepLimits(
  folder: Pick<ViceFolder, 'limit'>,
  limits: readonly Limit[],
  host: Pick<Host, 'report'>,
  everyMs: number,
): () => void {
  let isOver = false;
  let isTold = false;
  const look = async () => {
    try {
      for (const { path, bytes } of limits) await folder.limit(path, bytes);
    } catch (error) {
      if (isOver || isTold) return;
      isTold = true;
      const why = error instanceof Error ? error.message : String(error);
      const text = `the files that VICE writes may grow beyond their limits: ${why.slice(0, 200)}`;
      host.report({ type: 'file_limit_failed', text, data: {} });
    }
  };
  const timer = setInterval(() => void look(), everyMs).unref();
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}
