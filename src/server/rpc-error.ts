/** An answer to a request that never became a call. */
export function rpcError(
  status: number,
  code: number,
  message: string,
  id: string | number | null = null,
  data?: unknown,
): Response {
  const error = { code, message, ...(data !== undefined && { data }) };
  return Response.json({ jsonrpc: '2.0', error, id }, { status });
}
