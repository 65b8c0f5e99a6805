import { defineKind } from '../../machine/kind.ts';
import { consoleOptions } from './console-options.ts';

export const consoleKind = defineKind({
  kind: 'console',
  summary:
    'A serial console that somebody else runs (VM, board, network gear): TCP (default 127.0.0.1:4555), unix socket, ' +
    'serial device or PTY, or the stdio of a command.',
  options: consoleOptions,
  async surroundings(policy) {
    const { describeSurroundings } = await import('./surroundings.ts');
    return describeSurroundings(policy);
  },
  async start(options, host) {
    const [{ chooseLink }, { ConsoleMachine }] = await Promise.all([
      import('./choose-link.ts'),
      import('./console-machine.ts'),
    ]);
    return ConsoleMachine.open(await chooseLink(options, host), options, host);
  },
});
