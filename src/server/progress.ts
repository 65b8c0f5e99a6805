import type { ServerContext } from '@modelcontextprotocol/server';
import { visibleText } from '../api/visible.ts';

/** Reports progress where the client asked for it; a client that is gone is no reason to fail. */
export function progressReporter(request: ServerContext): (message: string) => void {
  const progressToken = request.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  return (message) => {
    const params = { progressToken, progress: ++progress, message: visibleText(message) };
    request.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}
