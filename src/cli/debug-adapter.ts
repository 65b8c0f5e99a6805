import { canTellPeers, strangerAt } from '../host/loopback-peer.ts';
import { serveDap } from '../ide/dap/dap-connection.ts';
import { isDapByte } from '../ide/dap/dap-messages.ts';
import { LoopbackPort, loopback } from '../ide/loopback-port.ts';
import { boundedWriter } from './bounded-writer.ts';
import type { ConfigSections } from './config-sections.ts';
import { exitCodes } from './exit-codes.ts';
import { openLog } from './log.ts';
import type { Surroundings } from './main.ts';
import type { OptionValues } from './options.ts';
import { stopSignal } from './stop-signal.ts';
import { openWorld } from './world.ts';

/** Serves an IDE on standard input and output, or any number of them on a port, with machines of its own. */
export async function debugAdapter(
  options: OptionValues,
  port: number | undefined,
  sections: ConfigSections,
  { env, self, stdin, stdout, stderr }: Surroundings,
): Promise<number> {
  for (const stream of [stdin, stdout, stderr]) stream.on('error', () => {});
  const log = openLog(options.logLevel, options.logFile, boundedWriter(stderr));
  const world = await openWorld(options, sections, env, self, log);
  const { host } = world;
  const stopped = stopSignal();
  try {
    if (port === undefined) {
      const who = { protocol: 'dap', address: 'stdio', role: 'own' } as const;
      await Promise.race([stopped, serveDap(host, { input: stdin, output: stdout }, { who })]);
      return exitCodes.ok;
    }
    const rules = { canTellPeers, strangerAt, log: (text: string) => log('error', text) };
    const listening = await LoopbackPort.open(port, rules, {
      begins: isDapByte,
      serve: (socket) => {
        const address = `${loopback}:${socket.remotePort}`;
        return serveDap(host, { input: socket, output: socket }, { who: { protocol: 'dap', address, role: 'own' } });
      },
      refused: (why) => host.audit({ client: 'dap' }, { tool: 'dap', outcome: 'denied', why }),
    });
    stderr.write(`frontpanel ${self.version} serves the Debug Adapter Protocol at ${loopback}:${listening.port}\n`);
    await stopped;
    listening.close();
    return exitCodes.ok;
  } finally {
    await world.close();
  }
}
