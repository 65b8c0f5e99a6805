import { type MessagePort, parentPort } from 'node:worker_threads';
import { keepMachines } from './thread-rack.ts';
import type { ThreadData } from './threads.ts';

const port = parentPort as MessagePort;

port.on('message', begin);

/** The first message; what comes after it is for the machines. */
function begin(data: ThreadData): void {
  keepMachines(port, data);
  port.off('message', begin);
}
