import { batch } from './batch.ts';
import { consoleRead } from './console-read.ts';
import { consoleRecord } from './console-record.ts';
import { consoleSend } from './console-send.ts';
import { consoleSetup } from './console-setup.ts';
import { eventsRead } from './events-read.ts';
import { machineKinds } from './machine-kinds.ts';
import { machineList } from './machine-list.ts';
import { machineStart } from './machine-start.ts';
import { machineStop } from './machine-stop.ts';
import type { Tool } from './tool.ts';

/** Every tool there is, in the order in which clients list them. */
export const tools: readonly Tool[] = [
  machineKinds,
  machineStart,
  machineList,
  machineStop,
  consoleSend,
  consoleRead,
  batch,
  consoleSetup,
  consoleRecord,
  eventsRead,
];
