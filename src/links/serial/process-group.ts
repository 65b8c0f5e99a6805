import { readFileSync } from 'node:fs';

/** Sends a signal to every process of the group; says whether there was one. */
export function signalGroup(leaderPid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-leaderPid, signal);
    return true;
  } catch {
    return false;
  }
}

/**
 * The same for the groups that its children lead, such as a command on the terminal that its parent keeps for it: with
 * the parent gone nobody would find them any more. Where there is no /proc, none is found.
 */
export function signalGroupsBelow(pid: number, signal: NodeJS.Signals): boolean {
  return childrenOf(pid).filter((child) => signalGroup(child, signal)).length > 0;
}

function childrenOf(pid: number): readonly number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
    return children === '' ? [] : children.split(' ').map(Number);
  } catch {
    return [];
  }
}
