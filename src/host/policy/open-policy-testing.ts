import { OperatorPolicy } from './operator-policy.ts';

/** Nothing is forbidden. */
export const openPolicy = new OperatorPolicy({
  kinds: [],
  tcp: ['*'],
  networks: ['none', 'user', 'isolated', 'tap'],
  commands: true,
  monitor: true,
  monitorCommands: [],
  debuggers: true,
  devices: ['/dev/*', '/dev/*/*'],
  consoleCommands: {},
  keptConsoles: {},
  readFolders: [],
  writeFolders: ['/'],
});
