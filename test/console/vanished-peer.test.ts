import { expect, test, vi } from 'vitest';
import { canMakeNetworks, FarNetwork } from '../support/far-network.ts';
import { program } from '../support/sandbox.ts';
import { Desk } from './desk.ts';

vi.setConfig({ testTimeout: 240_000 });

const port = 4555;

async function connected(network: FarNetwork): Promise<Desk> {
  const [command = '', ...args] = network.command;
  const desk = await Desk.openIn(command, [...args, process.execPath, program, '--allow-tcp', network.address]);
  await network.listen(port);
  await desk.start({ host: network.address, port });
  await desk.listed('console-1 LINK UP');
  await desk.arrived(6);
  return desk;
}

function noticed(desk: Desk): Promise<string> {
  return vi.waitFor(
    async () => {
      const list = await desk.ask('machine_list');
      if (!list.includes('lost 1×')) throw new Error(list);
      return list;
    },
    { timeout: 120_000, interval: 250 },
  );
}

test.skipIf(!canMakeNetworks)('a peer that vanished is noticed though nothing is sent, and found again', async () => {
  await using network = await FarNetwork.open();
  await using desk = await connected(network);
  network.vanish();
  const list = await noticed(desk);
  expect(list).toMatch(/console-1 (LINK DOWN|CONNECTING)/);
  expect(list).toContain('ETIMEDOUT');
  network.return();
  await vi.waitFor(async () => expect(await desk.ask('machine_list')).toContain('console-1 LINK UP'), 90_000);
});

test.skipIf(!canMakeNetworks)('a peer that vanished with bytes on their way to it is noticed as soon', async () => {
  await using network = await FarNetwork.open();
  await using desk = await connected(network);
  network.vanish();
  await desk.send({ text: 'are you there', quiet_ms: 0 });
  expect(await noticed(desk)).toContain('14 bytes were never acknowledged');
});
