import { arch, cpus, loadavg, totalmem } from 'node:os';

/** What the figures were measured on. */
export function describeComputer(): string {
  const cores = cpus();
  const model = cores[0]?.model.trim() || 'unknown processor';
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  return `${model} (${arch()}), ${cores.length} cores, ${memory}, ${process.platform}, Node ${process.version}`;
}

/** Of the last minute: above the number of cores, others were at work and absolute figures are too low. */
export function loadAverage(): string {
  return (loadavg()[0] ?? Number.NaN).toFixed(1);
}
