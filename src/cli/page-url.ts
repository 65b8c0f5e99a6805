/** The address of the live page beside an MCP address. The token comes after #, because browsers send that part to nobody. */
export function pageUrl(mcpUrl: string, token: string | undefined): string {
  const page = new URL('/', mcpUrl);
  if (token !== undefined) page.hash = new URLSearchParams({ token }).toString();
  return page.href;
}

const everywhere = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['[::]', '[::1]'],
]);

/** Where clients on this computer reach a server that listens on all of its addresses: browsers open no 0.0.0.0. */
export function reachable(mcpUrl: string): string {
  const url = new URL(mcpUrl);
  url.hostname = everywhere.get(url.hostname) ?? url.hostname;
  return url.href;
}
