/**
 * Runs a command on a terminal of its own, by the program `script` that every system brings along: some programs, such
 * as `virsh console`, refuse to talk to anything else. The terminal has a usual size and does not echo.
 */
export function ptyCommand(
  argv: readonly string[],
  platform: NodeJS.Platform = process.platform,
): { readonly command: readonly string[]; readonly env: Readonly<Record<string, string | undefined>> } {
  // `script` of Linux gives its command to a shell, that of macOS takes words.
  const line = `stty -echo rows 24 columns 80; exec ${argv.map(quoted).join(' ')}`;
  const command =
    platform === 'linux'
      ? ['script', '--quiet', '--return', '--flush', '--echo', 'never', '--command', line, '/dev/null']
      : ['script', '-q', '/dev/null', '/bin/sh', '-c', line];
  return { command, env: { ...process.env, SHELL: '/bin/sh', TERM: 'vt100' } };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
