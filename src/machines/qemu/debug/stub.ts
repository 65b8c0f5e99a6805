import type { GdbClient } from '../../../links/gdb/gdb-client.ts';
import type { QmpClient } from '../../../links/qmp/qmp-client.ts';

/** What registers and memory of a stopped target are read from: QEMU's gdb stub, or a core file. */
export type Stub = Pick<
  GdbClient,
  | 'description'
  | 'closed'
  | 'selectThread'
  | 'readAll'
  | 'readRegister'
  | 'writeRegister'
  | 'writeAll'
  | 'readMemory'
  | 'writeMemory'
  | 'physicalAddresses'
>;

/** Who tells what the stub does not, in the words of QEMU's monitor. */
export type Monitor = Pick<QmpClient, 'hmp'>;
