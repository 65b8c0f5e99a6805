import type { QemuSession } from '../qemu-session.ts';

export interface InputOptions {
  readonly session: QemuSession;
  /** The guest's clock goes on, so that it can take what is sent. */
  isRunning(): boolean;
}
