/** How clients are connected to the server at `url`: lines to be pasted as they are. */
export function clientLines(url: string, token: string | undefined): string {
  const bearer = token === undefined ? undefined : `Bearer ${token}`;
  const header = bearer === undefined ? '' : ` --header "Authorization: ${bearer}"`;
  // Codex takes no header at its command line, only the name of the variable it finds the token in.
  const [set, variable] =
    token === undefined ? ['', ''] : [`export FRONTPANEL_TOKEN=${token}; `, ' --bearer-token-env-var FRONTPANEL_TOKEN'];
  const server = { type: 'http', url, ...(bearer !== undefined && { headers: { Authorization: bearer } }) };
  return [
    `Claude Code:   claude mcp add --transport http frontpanel ${url}${header}`,
    `Codex:         ${set}codex mcp add frontpanel --url ${url}${variable}`,
    `Gemini CLI:    gemini mcp add --transport http frontpanel ${url}${header}`,
    `Other clients: ${JSON.stringify({ mcpServers: { frontpanel: server } })}`,
  ].join('\n');
}
