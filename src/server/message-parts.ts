export type RequestId = string | number;

/** The method and number of a message that wants an answer. */
export function requestOf(message: unknown): { readonly id: RequestId; readonly method: string } | undefined {
  const { id, method } = asRecord(message);
  return isId(id) && typeof method === 'string' ? { id, method } : undefined;
}

/** Which request a message takes back. */
export function cancelledBy(message: unknown): RequestId | undefined {
  const { method, params } = asRecord(message);
  const { requestId } = asRecord(params);
  return method === 'notifications/cancelled' && isId(requestId) ? requestId : undefined;
}

/** Which request a message answers, and how. */
export function answerOf(message: unknown): { readonly id: RequestId; readonly isError: boolean } | undefined {
  const { id, method, error } = asRecord(message);
  return isId(id) && method === undefined ? { id, isError: error !== undefined } : undefined;
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number';
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
