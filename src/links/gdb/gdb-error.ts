/** `refused`: the stub answered with an error, whose number is in `code`. `unsupported`: it does not know the request. */
export type GdbFailure = 'refused' | 'unsupported' | 'closed' | 'timeout' | 'protocol';

export class GdbError extends Error {
  override readonly name = 'GdbError';
  readonly failure: GdbFailure;
  readonly code: number | undefined;

  constructor(failure: GdbFailure, message: string, code?: number) {
    super(message);
    this.failure = failure;
    this.code = code;
  }
}
