/** The JSON-RPC code that goes with each type of failure. */
const codes = {
  INVALID_ARGUMENT: -32602,
  ADDRESS_OUT_OF_BOUNDS: -32600,
  UNKNOWN_TOOL: -32601,
  MISSING_CAPABILITY: -32601,
  UNKNOWN_KIND: -32602,
  UNKNOWN_MACHINE: -32602,
  NOT_FOUND: -32602,
  NAME_TAKEN: -32600,
  PATH_NOT_ALLOWED: -32600,
  DENIED: -32600,
  LIMIT_REACHED: -32600,
  EXECUTION_ERROR: -32000,
  WRONG_STATE: -32001,
  LINK_DOWN: -32001,
  WRITE_BUFFER_FULL: -32001,
  BUSY: -32001,
  CANCELLED: -32001,
  UNAVAILABLE: -32000,
  INTERNAL: -32603,
} as const;

export type ErrorType = keyof typeof codes;

/** A failure the agent can act on: what failed, and what to call next. Anything else that is thrown is our bug. */
export class MachineError extends Error {
  override readonly name = 'MachineError';
  readonly type: ErrorType;
  /** The next step, as an exact call where there is one. */
  readonly fix: string;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(
    type: ErrorType,
    message: string,
    fix: string,
    data: Readonly<Record<string, unknown>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.type = type;
    this.fix = fix;
    this.data = data;
  }

  get code(): number {
    return codes[this.type];
  }

  /** The machine-readable part of an error answer. */
  toJSON(): Record<string, unknown> {
    return {
      code: this.code,
      error_type: this.type,
      message: this.message,
      suggested_fix: this.fix,
      ...this.data,
    };
  }
}
