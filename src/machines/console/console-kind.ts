import { defineKind } from '../../machine/kind.ts';
import { chooseLink } from './choose-link.ts';
import { ConsoleMachine } from './console-machine.ts';
import { consoleOptions } from './console-options.ts';

export const consoleKind = defineKind({
  kind: 'console',
  summary:
    'A serial console that somebody else runs (VM, board, network gear): TCP (default 127.0.0.1:4555), unix socket, ' +
    'serial device or PTY, or the stdio of a command.',
  options: consoleOptions,
  start: async (options, host) => ConsoleMachine.open(await chooseLink(options, host), options, host),
});
