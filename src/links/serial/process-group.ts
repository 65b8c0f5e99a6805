/** Sends a signal to every process of the group; says whether there was one. */
export function signalGroup(leaderPid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-leaderPid, signal);
    return true;
  } catch {
    return false;
  }
}
