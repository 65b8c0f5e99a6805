import type { GdbClient } from '../../../links/gdb/gdb-client.ts';
import type { QmpClient } from '../../../links/qmp/qmp-client.ts';
import { Target } from './target.ts';

/** The target of a QEMU that runs: it can also be set going. */
export class LiveTarget extends Target {
  declare readonly gdb: GdbClient;
  declare readonly qmp: QmpClient;

  constructor(gdb: GdbClient, qmp: QmpClient, arch: string, thread: string) {
    super(gdb, qmp, arch, thread);
  }
}
