import { advice, call, MachineError } from '../../machine/errors.ts';
import type { Capture, NetworkCapability } from '../../machine/network.ts';

export function showCapture({ id, interface: card, path, active, bytes }: Capture): string {
  return `${id} on ${card}: ${active ? 'going on' : 'ended'}, ${bytes} bytes in ${path}`;
}

/** The capture of this id; without one, the last that was started. */
export function captureNamed({ captures }: NetworkCapability, id: string | undefined): Capture {
  const found = id === undefined ? captures.at(-1) : captures.find((each) => each.id === id);
  if (found) return found;
  const ids = captures.map((each) => each.id).join(', ');
  throw new MachineError(
    'NOT_FOUND',
    id === undefined ? 'Nothing has been captured.' : `No capture ${JSON.stringify(id.slice(0, 40))}.`,
    ids ? `There are: ${ids}.` : advice`Start one with ${call('network_capture_start')}.`,
  );
}
