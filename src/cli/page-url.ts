/** The address of the live page beside an MCP address. The token comes after #, because browsers send that part to nobody. */
export function pageUrl(mcpUrl: string, token: string | undefined): string {
  const page = new URL('/', mcpUrl);
  if (token !== undefined) page.hash = new URLSearchParams({ token }).toString();
  return page.href;
}
