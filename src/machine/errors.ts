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
  HELD: -32001,
  CANCELLED: -32001,
  UNAVAILABLE: -32000,
  INTERNAL: -32603,
} as const;

export type ErrorType = keyof typeof codes;
export const errorTypes = Object.keys(codes) as readonly ErrorType[];

/** A call that would help, of a tool by the name that it has among our own. */
export interface SuggestedCall {
  readonly tool: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

/** One way out: text with calls in it. A surface that lacks one of the tools leaves the whole way out. */
export type Advice = readonly (string | SuggestedCall)[];

/** What to do about a failure: plain text, or advice where it names tools. */
export type Fix = string | Advice | readonly Advice[];

export function call(tool: string, args?: Readonly<Record<string, unknown>>): SuggestedCall {
  return args === undefined ? { tool } : { tool, arguments: args };
}

/** ``advice`Stop one with ${call('machine_stop')}.` `` */
export function advice(texts: TemplateStringsArray, ...values: readonly (string | number | SuggestedCall)[]): Advice {
  return texts.flatMap((text, index) => {
    const value = values[index];
    return value === undefined ? [text] : [text, typeof value === 'number' ? String(value) : value];
  });
}

/** Advice in a surface's own words; `name` gives what a call is there, and nothing where there is none. */
export function adviceText(
  ways: readonly Advice[],
  name: (suggested: SuggestedCall) => string | undefined = nativeName,
): string {
  return ways
    .flatMap((way) => {
      const parts = way.map((part) => (typeof part === 'string' ? part : name(part)));
      return parts.includes(undefined) ? [] : [parts.join('')];
    })
    .join(' ');
}

function nativeName({ tool, arguments: args }: SuggestedCall): string {
  return args === undefined ? tool : `${tool} ${JSON.stringify(args)}`;
}

/** A failure the agent can act on: what failed, and what to do next. Anything else that is thrown is our bug. */
export class MachineError extends Error {
  override readonly name = 'MachineError';
  readonly type: ErrorType;
  /** Ways out, each complete in itself. */
  readonly advice: readonly Advice[];
  readonly data: Readonly<Record<string, unknown>>;

  constructor(
    type: ErrorType,
    message: string,
    fix: Fix,
    data: Readonly<Record<string, unknown>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.type = type;
    this.advice = waysOf(fix);
    this.data = data;
  }

  /** What to do next, with our own tools. */
  get fix(): string {
    return adviceText(this.advice);
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

function waysOf(fix: Fix): readonly Advice[] {
  if (typeof fix === 'string') return [[fix]];
  return fix.every((each): each is Advice => Array.isArray(each)) ? fix : [fix as Advice];
}
