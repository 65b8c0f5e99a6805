import type { PageCommand } from '../channel.ts';
import { mayAct } from './store.ts';

/** The way out, once there is one. */
let send: (command: PageCommand) => void = () => {};

export function connectTo(way: (command: PageCommand) => void): void {
  send = way;
}

export function tell(command: PageCommand): void {
  send(command);
}

/** Does something to a machine, for those who may. */
export function act(command: PageCommand): void {
  if (mayAct.value) send(command);
}
