/** Why a monitor of VICE's gave no answer. */
export class MonitorError extends Error {
  override readonly name = 'MonitorError';
  readonly failure: 'refused' | 'timeout' | 'closed';
  /** What VICE answered, where it refused. */
  readonly code: number | undefined;

  constructor(failure: MonitorError['failure'], message: string, code?: number) {
    super(message);
    this.failure = failure;
    this.code = code;
  }
}
