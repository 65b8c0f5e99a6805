import { call, perform } from '../requests.ts';
import { machines, showTrouble } from '../store.ts';

const snapshot = 'fork-from-page';

/** Another machine that goes on from where this one is, or was at a time; this one is not disturbed. Answers its name. */
export async function fork(machine: string, at?: number): Promise<string | undefined> {
  const moment = { machine, name: snapshot, ...(at !== undefined && { at }) };
  if (!(await perform('snapshot_save', moment))) return undefined;
  const into = freeName(machine);
  const outcome = await call('snapshot_restore', { machine, name: snapshot, into }, true);
  await call('snapshot_delete', { machine, name: snapshot }, true);
  if (outcome.type === 'answer') return into;
  if (outcome.type === 'error') showTrouble(`${outcome.message} ${outcome.fix}`);
  return undefined;
}

function freeName(machine: string): string {
  const taken = new Set(machines.value.map(({ handle }) => handle));
  const base = `${machine.slice(0, 20)}-fork`;
  let number = 1;
  while (taken.has(`${base}-${number}`)) number++;
  return `${base}-${number}`;
}
