import { shellQuote } from './shell-quote.ts';

/** A program that shows a command to a person. */
export interface Terminal {
  readonly name: string;
  /** Other names people give it, in lower case. */
  readonly aliases?: readonly string[];
  /** What it calls itself in TERM_PROGRAM. */
  readonly termProgram?: string;
  /** Where it works: an application of macOS, a program with windows, or inside a tmux server that runs. */
  readonly place: 'macos' | 'window' | 'tmux';
  /** How it is recognised: a program on the PATH, or an application by the names of its bundle. */
  readonly detect: { readonly program: string } | { readonly bundles: readonly string[]; readonly launcher: string };
  /**
   * `window`: the process lives as long as the window. `handover`: it may, or it leaves the window to another process.
   * `request`: it asks for a window, says how that went and ends.
   */
  readonly process: 'window' | 'handover' | 'request';
  /** The whole command line; `program` is what was found. */
  argv(program: string, command: readonly string[], title: string): string[];
}

/** In the order in which they are tried. */
export const terminals: readonly Terminal[] = [
  {
    name: 'Ghostty.app',
    aliases: ['ghostty'],
    termProgram: 'ghostty',
    place: 'macos',
    detect: { bundles: ['Ghostty.app'], launcher: 'open' },
    process: 'request',
    argv: (open, command, title) => [open, '-na', 'Ghostty.app', '--args', `--title=${title}`, '-e', ...command],
  },
  {
    name: 'WezTerm.app',
    aliases: ['wezterm'],
    termProgram: 'WezTerm',
    place: 'macos',
    detect: { bundles: ['WezTerm.app'], launcher: 'open' },
    process: 'request',
    argv: (open, command) => [open, '-na', 'WezTerm.app', '--args', 'start', '--', ...command],
  },
  {
    name: 'iTerm.app',
    aliases: ['iterm', 'iterm2', 'iterm2.app'],
    termProgram: 'iTerm.app',
    place: 'macos',
    detect: { bundles: ['iTerm.app', 'iTerm2.app'], launcher: 'osascript' },
    process: 'request',
    argv: (osascript, command) =>
      appleScript(
        osascript,
        'tell application "iTerm" to create window with default profile command (item 1 of argv)',
        [shellQuote(command)],
      ),
  },
  {
    name: 'Terminal.app',
    aliases: ['terminal'],
    termProgram: 'Apple_Terminal',
    place: 'macos',
    detect: { bundles: ['Utilities/Terminal.app', 'Terminal.app'], launcher: 'osascript' },
    process: 'request',
    argv: (osascript, command) =>
      appleScript(osascript, 'tell application "Terminal" to do script (item 1 of argv)', [
        `exec ${shellQuote(command)}`,
      ]),
  },
  {
    ...windowProgram('wezterm', (command) => ['start', '--always-new-process', '--', ...command]),
    termProgram: 'WezTerm',
  },
  windowProgram('kitty', (command, title) => ['--title', title, ...command]),
  windowProgram('alacritty', (command, title) => ['--title', title, '-e', ...command]),
  {
    ...windowProgram('ghostty', (command, title) => [`--title=${title}`, '-e', ...command]),
    termProgram: 'ghostty',
  },
  windowProgram('foot', (command, title) => [`--title=${title}`, ...command]),
  windowProgram('konsole', (command, title) => ['-p', `tabtitle=${title}`, '-e', ...command]),
  // Without --wait the process ends at once: the window belongs to a server process.
  windowProgram('gnome-terminal', (command, title) => ['--wait', `--title=${title}`, '--', ...command]),
  { ...windowProgram('tilix', (command, title) => [`--title=${title}`, '-e', ...command]), process: 'handover' },
  // -x takes the rest of the line, -e only one string; the same for xfce4-terminal.
  windowProgram('terminator', (command, title) => ['--no-dbus', `--title=${title}`, '-x', ...command]),
  windowProgram('xfce4-terminal', (command, title) => ['--disable-server', `--title=${title}`, '-x', ...command]),
  windowProgram('xterm', (command, title) => ['-T', title, '-e', ...command]),
  windowProgram('urxvt', (command, title) => ['-title', title, '-e', ...command]),
  { ...windowProgram('xdg-terminal-exec', (command) => [...command]), process: 'handover' },
  {
    ...windowProgram('x-terminal-emulator', (command, title) => ['-T', title, '-e', ...command]),
    process: 'handover',
  },
  {
    name: 'tmux',
    termProgram: 'tmux',
    place: 'tmux',
    detect: { program: 'tmux' },
    process: 'request',
    argv: (tmux, command, title) => [
      ...[tmux, 'new-window', '-P', '-F', '#{pane_pid}', '-n', tmuxWord(title.replaceAll('#', '##')), '--'],
      // A single word would be given to a shell.
      ...(command.length === 1 ? ['env', ...command] : command).map(tmuxWord),
    ],
  },
];

/** A terminal that is not in the table; most take a command like xterm does. */
export function unlistedTerminal(name: string): Terminal {
  return windowProgram(name, (command) => ['-e', ...command]);
}

function windowProgram(name: string, options: (command: readonly string[], title: string) => string[]): Terminal {
  return {
    name,
    place: 'window',
    detect: { program: name },
    process: 'window',
    argv: (program, command, title) => [program, ...options(command, title)],
  };
}

/** The words reach the script as its arguments, so nothing has to be quoted for AppleScript. */
function appleScript(osascript: string, statement: string, words: readonly string[]): string[] {
  return [osascript, '-e', 'on run argv', '-e', statement, '-e', 'end run', ...words];
}

/** A semicolon at the end of a word would end the command. */
function tmuxWord(word: string): string {
  return word.endsWith(';') ? `${word.slice(0, -1)}\\;` : word;
}
