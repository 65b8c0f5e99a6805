import type { Tool } from '../tool.ts';
import { breakpointsClear } from './breakpoints-clear.ts';
import { capturesList } from './captures-list.ts';
import { codeRead } from './code-read.ts';
import { errorClear } from './error-clear.ts';
import { functionsCounted } from './functions-counted.ts';
import { graphSummary } from './graph-summary.ts';
import { buttonSet, keySet, pointerSet } from './held-inputs.ts';
import { memoryPeek } from './memory-peek.ts';
import { processorRead } from './processor-read.ts';
import { programAutostart } from './program-autostart.ts';
import { serialPage, serialPlace } from './serial-page.ts';
import { serialRestart } from './serial-restart.ts';
import { serialStatus } from './serial-status.ts';
import { serialTakeNew } from './serial-take-new.ts';
import { statusRead } from './status-read.ts';

/** What tools of dialects are made of where none of our own fits. Nobody else can call them. */
export const innerTools: readonly Tool[] = [
  statusRead,
  errorClear,
  processorRead,
  codeRead,
  memoryPeek,
  functionsCounted,
  graphSummary,
  breakpointsClear,
  keySet,
  pointerSet,
  buttonSet,
  capturesList,
  programAutostart,
  serialStatus,
  serialTakeNew,
  serialPlace,
  serialPage,
  serialRestart,
];
