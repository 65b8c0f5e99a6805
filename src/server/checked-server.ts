import {
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** The SDK's server, but wrong parameters of any method are the client's mistake and not an internal error. */
export class CheckedServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    return super._wrapHandler(method, (request, context) => {
      try {
        return handler(request, context);
      } catch (error) {
        // Thrown at once and as a plain error: the schema of the method. Handlers of ours are asynchronous.
        if (!(error instanceof Error) || error.constructor !== Error) throw error;
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Invalid params for ${method}: ${error.message}`);
      }
    });
  }
}
