import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { shellQuote } from './shell-quote.ts';
import { terminals, unlistedTerminal } from './terminal-table.ts';

const command = ['/opt/front panel/node', 'cli.js', 'attach', "it's;"];
const quoted = `'/opt/front panel/node' cli.js attach 'it'\\''s;'`;

const expected: Record<string, string[]> = {
  'Ghostty.app': ['PROGRAM', '-na', 'Ghostty.app', '--args', '--title=vm #1', '-e', ...command],
  'WezTerm.app': ['PROGRAM', '-na', 'WezTerm.app', '--args', 'start', '--', ...command],
  'iTerm.app': [
    ...['PROGRAM', '-e', 'on run argv', '-e'],
    'tell application "iTerm" to create window with default profile command (item 1 of argv)',
    ...['-e', 'end run', quoted],
  ],
  'Terminal.app': [
    ...['PROGRAM', '-e', 'on run argv', '-e', 'tell application "Terminal" to do script (item 1 of argv)'],
    ...['-e', 'end run', `exec ${quoted}`],
  ],
  wezterm: ['PROGRAM', 'start', '--always-new-process', '--', ...command],
  kitty: ['PROGRAM', '--title', 'vm #1', ...command],
  alacritty: ['PROGRAM', '--title', 'vm #1', '-e', ...command],
  ghostty: ['PROGRAM', '--title=vm #1', '-e', ...command],
  foot: ['PROGRAM', '--title=vm #1', ...command],
  konsole: ['PROGRAM', '-p', 'tabtitle=vm #1', '-e', ...command],
  'gnome-terminal': ['PROGRAM', '--wait', '--title=vm #1', '--', ...command],
  tilix: ['PROGRAM', '--title=vm #1', '-e', ...command],
  terminator: ['PROGRAM', '--no-dbus', '--title=vm #1', '-x', ...command],
  'xfce4-terminal': ['PROGRAM', '--disable-server', '--title=vm #1', '-x', ...command],
  xterm: ['PROGRAM', '-T', 'vm #1', '-e', ...command],
  urxvt: ['PROGRAM', '-title', 'vm #1', '-e', ...command],
  'xdg-terminal-exec': ['PROGRAM', ...command],
  'x-terminal-emulator': ['PROGRAM', '-T', 'vm #1', '-e', ...command],
  tmux: [
    ...['PROGRAM', 'new-window', '-P', '-F', '#{pane_pid}', '-n', 'vm ##1', '--'],
    ...['/opt/front panel/node', 'cli.js', 'attach', "it's\\;"],
  ],
};

describe('terminals', () => {
  test('are tried in the order of the list', () => {
    expect(terminals.map(({ name }) => name)).toEqual(Object.keys(expected));
  });

  test.each(terminals.map((terminal) => [terminal.name, terminal] as const))(
    '%s runs the command',
    (name, terminal) => {
      expect(terminal.argv('PROGRAM', command, 'vm #1')).toEqual(expected[name]);
    },
  );

  test('tmux gives a single word to no shell', () => {
    const tmux = terminals.find(({ name }) => name === 'tmux');
    expect(tmux?.argv('tmux', ['a b'], 't').slice(-2)).toEqual(['env', 'a b']);
  });

  test('one that is not listed takes the command like xterm', () => {
    expect(unlistedTerminal('st').argv('/usr/bin/st', ['a', 'b'], 't')).toEqual(['/usr/bin/st', '-e', 'a', 'b']);
  });

  test('a quoted command is the same command for a shell', () => {
    const words = [
      'printf',
      '%s|',
      'plain',
      "it's",
      '$(id)',
      '`id`',
      'a b',
      '',
      '"',
      '\\',
      '*',
      ';',
      '!',
      '\n',
      '~',
      'é',
    ];
    expect(execFileSync('sh', ['-c', shellQuote(words)]).toString()).toBe(
      words
        .slice(2)
        .map((word) => `${word}|`)
        .join(''),
    );
  });
});
