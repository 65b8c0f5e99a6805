import type { Host } from '../../machine/host.ts';
import type { Stop } from '../../machine/state.ts';

interface Stopping {
  onStop: (stop: Stop) => void;
  onReset: (mode: 'soft' | 'hard') => void;
}

/** Stops that nobody waited for, and resets, are events. */
export function reportStops(engine: Stopping, host: Pick<Host, 'report'>): void {
  engine.onStop = (stop) => host.report({ type: 'stop', text: stop.reason, data: { ...stop } });
  engine.onReset = (mode) => host.report({ type: 'reset', text: `${mode} reset`, data: { mode } });
}
