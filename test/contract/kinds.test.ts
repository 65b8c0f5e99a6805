import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { c64Kind } from '../../src/machines/commodore/c64/c64-kind.ts';
import { vic20Kind } from '../../src/machines/commodore/vic20/vic20-kind.ts';
import { consoleKind } from '../../src/machines/console/console-kind.ts';
import { dosKind } from '../../src/machines/dos/dos-kind.ts';
import { toyKind } from '../toy-kind.ts';
import { describeMachine } from './machine.contract.ts';

let guest: Server;
beforeAll(async () => {
  guest = createServer((socket) => socket.end('hello\r\n')).listen(0, '127.0.0.1');
  await new Promise((resolve) => guest.once('listening', resolve));
});
afterAll(() => void guest.close());

describeMachine({ kind: toyKind, options: async () => ({}), capabilities: ['control', 'memory'] });

describeMachine({
  kind: consoleKind,
  async options() {
    const address = guest.address();
    return { port: typeof address === 'object' && address !== null ? address.port : 0 };
  },
  capabilities: ['console'],
});

describeMachine({
  kind: c64Kind,
  options: async () => ({ roms: 'own', boot: false }),
  capabilities: [
    'control',
    'cpu',
    'processors',
    'addresses',
    'memory',
    'breakpoints',
    'snapshots',
    'screen',
    'keyboard',
    'mouse',
    'joystick',
    'paddles',
    'lightPen',
    'program',
    'media',
    'symbols',
    'chips',
    'cycles',
    'audio',
  ],
});

describeMachine({
  kind: vic20Kind,
  options: async () => ({ roms: 'own', boot: false }),
  capabilities: [
    'control',
    'cpu',
    'processors',
    'addresses',
    'memory',
    'breakpoints',
    'snapshots',
    'screen',
    'keyboard',
    'joystick',
    'paddles',
    'lightPen',
    'program',
    'media',
    'symbols',
    'chips',
    'cycles',
    'audio',
  ],
});

describeMachine({
  kind: dosKind,
  options: async () => ({ run_to_prompt: false }),
  capabilities: [
    'control',
    'cpu',
    'addresses',
    'memory',
    'breakpoints',
    'snapshots',
    'screen',
    'keyboard',
    'mouse',
    'joystick',
    'program',
    'media',
    'console',
    'chips',
    'audio',
    'functions',
    'graph',
    'names',
    'callLog',
    'trace',
    'coverage',
  ],
});
