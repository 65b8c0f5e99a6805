import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCErrorResponse,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';

export type MessageFault = Pick<JSONRPCErrorResponse, 'id' | 'error'>;

const { InvalidRequest, InvalidParams } = ProtocolErrorCode;

/** Longer than any address or name of ours. Some are kept, others said again in answers. */
const longestName = 1000;

/** What is wrong with a message, if the SDK would drop it, or a part of it, without a word. */
export function messageFault(message: unknown): MessageFault | undefined {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return fault(InvalidRequest, 'a message is one JSON object');
  }
  const { jsonrpc, id, method, params, ...others } = message as Record<string, unknown>;
  if (isTooLong(id)) return fault(InvalidRequest, `id must not be longer than ${longestName} characters`);
  const known = typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id)) ? { id } : {};
  // Answers to questions of ours; one that is wrong is nobody's to wait for.
  if (method === undefined && ('result' in message || 'error' in message)) return undefined;
  const isCall = typeof params === 'object' && params !== null && 'arguments' in params;
  if (isCall && typeof params.arguments === 'object' && Object.hasOwn(params.arguments ?? {}, '__proto__')) {
    return { ...known, ...fault(InvalidParams, 'unknown argument __proto__') };
  }
  if (isJSONRPCRequest(message) || isJSONRPCNotification(message)) {
    const tooLong = nameFault(message);
    return tooLong && { ...known, ...tooLong };
  }
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

/** Of a message whose names and addresses are too long. */
export function nameFault(message: unknown): MessageFault | undefined {
  const { params } = asRecord(message);
  const { uri, name, cursor, _meta, notifications, ref } = asRecord(params);
  const { resourceSubscriptions } = asRecord(notifications);
  const names = {
    ...{ uri, name, cursor, progressToken: asRecord(_meta).progressToken },
    ...{ 'ref.uri': asRecord(ref).uri, 'ref.name': asRecord(ref).name },
    resourceSubscriptions: Array.isArray(resourceSubscriptions) ? resourceSubscriptions.find(isTooLong) : undefined,
  };
  const [found] = Object.entries(names).find(([, value]) => isTooLong(value)) ?? [];
  if (found === undefined) return undefined;
  return fault(InvalidParams, `${found} must not be longer than ${longestName} characters`);
}

function isTooLong(value: unknown): boolean {
  return typeof value === 'string' && value.length > longestName;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function fault(code: number, what: string): MessageFault {
  return { error: { code, message: `${code === InvalidParams ? 'Invalid params' : 'Invalid request'}: ${what}` } };
}
