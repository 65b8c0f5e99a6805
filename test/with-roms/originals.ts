import { Desk } from '../c64/desk.ts';
import { settings } from '../make-rack.ts';
import { here } from '../support/tool-bench.ts';

/** Nobody may ship the original ROMs, so their folders are given from outside: what `--roms` takes. */
const romFolders = [...(process.env.FRONTPANEL_ROMS ?? '').split(',').filter(Boolean), 'own'];

/** A C64 with the original ROMs and a real 1541. */
export function originalC64(options: Record<string, unknown> = {}): Promise<Desk> {
  return Desk.withC64({ roms: 'auto', ...options }, { ...here, services: { settings: { ...settings, romFolders } } });
}
