import type { Status } from '../../machine/state.ts';

/** Where a machine is and why, as data of an answer. */
export function momentOf({ now, stop }: Status): Readonly<Record<string, unknown>> {
  const { time, beam } = now ?? {};
  const place = beam && { frame: beam.frame, raster_line: beam.line, raster_cycle: beam.cycle };
  return { ...(time !== undefined && { cycle: time }), ...place, ...(stop && { stop }) };
}
