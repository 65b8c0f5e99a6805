import {
  type Implementation,
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** Told that a request is being worked on; what it returns is called when that has ended, answered or not. */
export type OnWork = (request: JSONRPCRequest) => () => void;

/**
 * The SDK's server, but wrong parameters of any method are the client's mistake and not an internal error, and the work
 * for a request can be watched: the SDK says nothing of the end of what was cancelled.
 */
export class CheckedServer extends Server {
  readonly #onWork: OnWork | undefined;

  constructor(identity: Implementation, options: ServerOptions, onWork: OnWork | undefined) {
    super(identity, options);
    this.#onWork = onWork;
  }

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    return super._wrapHandler(method, (request, context) => {
      const end = this.#onWork?.(request);
      try {
        const answer = handler(request, context);
        return end ? answer.finally(end) : answer;
      } catch (error) {
        end?.();
        // Thrown at once and as a plain error: the schema of the method. Handlers of ours are asynchronous.
        if (!(error instanceof Error) || error.constructor !== Error) throw error;
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Invalid params for ${method}: ${error.message}`);
      }
    });
  }
}
