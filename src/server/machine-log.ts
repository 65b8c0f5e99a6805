import type { MachineEvent } from '../machine/events.ts';
import type { Rack } from '../rack/rack.ts';
import { visibleData } from '../tools/visible.ts';
import type { LogEntry, Surface } from './surface.ts';

/** What happens to machines, as log messages. */
export function logOf(rack: Rack): Surface['onLog'] {
  return (listener) => rack.events.onEvent((event) => listener(logEntry(event)));
}

function logEntry(event: MachineEvent): LogEntry {
  const level = event.type === 'terminal_failed' ? 'error' : /lost|failed|error/.test(event.type) ? 'warning' : 'info';
  const data = visibleData({ seq: event.seq, type: event.type, text: event.text, ...event.data });
  return { level, logger: event.machine, data };
}
