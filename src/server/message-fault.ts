import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCErrorResponse,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';

export type MessageFault = Pick<JSONRPCErrorResponse, 'id' | 'error'>;

const { InvalidRequest, InvalidParams } = ProtocolErrorCode;

/** What is wrong with a message, if the SDK would drop it, or a part of it, without a word. */
export function messageFault(message: unknown): MessageFault | undefined {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return fault(InvalidRequest, 'a message is one JSON object');
  }
  const { jsonrpc, id, method, params, ...others } = message as Record<string, unknown>;
  const known = typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id)) ? { id } : {};
  // Answers to questions of ours; one that is wrong is nobody's to wait for.
  if (method === undefined && ('result' in message || 'error' in message)) return undefined;
  const isCall = typeof params === 'object' && params !== null && 'arguments' in params;
  if (isCall && typeof params.arguments === 'object' && Object.hasOwn(params.arguments ?? {}, '__proto__')) {
    return { ...known, ...fault(InvalidParams, 'unknown argument __proto__') };
  }
  if (isJSONRPCRequest(message) || isJSONRPCNotification(message)) return undefined;
  if (jsonrpc !== '2.0' || typeof method !== 'string') {
    return { ...known, ...fault(InvalidRequest, 'jsonrpc must be "2.0" and method a string') };
  }
  if ('id' in message && !(typeof id === 'string' || Number.isSafeInteger(id))) {
    return { ...known, ...fault(InvalidRequest, 'id must be a string or an integer') };
  }
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    return { ...known, ...fault(InvalidRequest, `unknown member ${JSON.stringify(unknown.slice(0, 40))}`) };
  }
  const isObject = typeof params === 'object' && params !== null && !Array.isArray(params);
  return { ...known, ...fault(InvalidParams, isObject ? 'params._meta is malformed' : 'params must be an object') };
}

function fault(code: number, what: string): MessageFault {
  return { error: { code, message: `${code === InvalidParams ? 'Invalid params' : 'Invalid request'}: ${what}` } };
}
