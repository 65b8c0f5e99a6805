import type { HostEvent, ToolHost } from '../api/tool-host.ts';
import { visibleData } from '../api/visible.ts';
import type { LogEntry, Surface } from './surface.ts';

/** What happens to machines, as log messages. */
export function logOf(host: ToolHost): Surface['onLog'] {
  return (listener) => host.onEvent((event) => listener(logEntry(event)));
}

function logEntry(event: HostEvent): LogEntry {
  const level = event.type === 'terminal_failed' ? 'error' : /lost|failed|error/.test(event.type) ? 'warning' : 'info';
  const data = visibleData({ seq: event.seq, type: event.type, text: event.text, ...event.data });
  return { level, logger: event.machine, data };
}
