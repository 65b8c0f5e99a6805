/** `refused`: QEMU answered with an error; its class and words are in `errorClass` and `message`. */
export type QmpFailure = 'refused' | 'closed' | 'timeout' | 'protocol';

export class QmpError extends Error {
  override readonly name = 'QmpError';
  readonly failure: QmpFailure;
  /** `GenericError`, `CommandNotFound`, `DeviceNotFound` … */
  readonly errorClass: string | undefined;

  constructor(failure: QmpFailure, message: string, errorClass?: string) {
    super(message);
    this.failure = failure;
    this.errorClass = errorClass;
  }
}
