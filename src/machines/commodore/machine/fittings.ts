import type { ConfigurationResource, ResourceValue } from '../../../machine/configuration.ts';

/** What is in the sockets and ports of a board, as plain data. */
export type Fitted = Readonly<Record<string, string>>;

/** A resource that is read off what is fitted, and changes it. */
export interface FittedResource extends Omit<ConfigurationResource, 'value'> {
  read(fitted: Fitted): ResourceValue;
  write(fitted: Fitted, value: ResourceValue): Fitted;
}

/** The sockets and ports of one board. */
export interface Fittings {
  readonly resources: readonly FittedResource[];
  readonly now: Fitted;
  /** What is in memory, and what the chips do, stays; a new frame begins. */
  fit(fitted: Fitted): void;
  /** The options of a machine that is started with this. */
  options(fitted: Fitted): Readonly<Record<string, unknown>>;
}

/** Whether all of it is known here: each part is in its socket now, or one that can be put there. */
export function canFit({ now, resources }: Fittings, fitted: Fitted): boolean {
  const sockets = Object.keys(now);
  if (Object.keys(fitted).length !== sockets.length) return false;
  return sockets.every((socket) => {
    const fits = ({ possible, write }: FittedResource) =>
      possible.some(({ value }) => write(now, value)[socket] === fitted[socket]);
    return fitted[socket] === now[socket] || resources.some(fits);
  });
}
