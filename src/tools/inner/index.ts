import type { Tool } from '../tool.ts';
import { breakpointsClear } from './breakpoints-clear.ts';
import { addressRead, bytesRead } from './bytes-read.ts';
import { capturesList } from './captures-list.ts';
import { cartridgeCheck } from './cartridge-check.ts';
import { codeRead } from './code-read.ts';
import { configRead, configWrite, configWriteAsking } from './config-tools.ts';
import { framesRead, instructionsRead, sourceStep } from './debugger-tools.ts';
import { errorClear } from './error-clear.ts';
import { factsRead } from './facts-read.ts';
import { functionsCounted } from './functions-counted.ts';
import { graphSummary } from './graph-summary.ts';
import { buttonSet, keySet, pointerMove, pointerSet } from './held-inputs.ts';
import { machinesDescribe } from './machines-describe.ts';
import { memoryPeek } from './memory-peek.ts';
import { momentRead } from './moment-read.ts';
import {
  configChange,
  driveReset,
  joystickSet,
  keysFeed,
  memoryTouch,
  pixelsRead,
  powerCycle,
  registersRead,
  snapshotDump,
  snapshotLoad,
  userPortSet,
} from './monitor-tools.ts';
import { pictureRead } from './picture-read.ts';
import { processorRead } from './processor-read.ts';
import { profileDelete, profileList, profileSave } from './profile-tools.ts';
import { programAutostart } from './program-autostart.ts';
import { registersSet } from './registers-set.ts';
import { resetAsking } from './reset-asking.ts';
import { serialPage, serialPlace, serialWait } from './serial-page.ts';
import { serialRestart } from './serial-restart.ts';
import { serialStatus } from './serial-status.ts';
import { serialTakeNew } from './serial-take-new.ts';
import { statusRead } from './status-read.ts';
import { symbolsBeside } from './symbols-beside.ts';
import { variableRead, variablesRead, variableWrite } from './variable-tools.ts';

/** What tools of dialects, and debuggers of people, are made of where none of our own fits. Nobody else can call them. */
export const innerTools: readonly Tool[] = [
  statusRead,
  machinesDescribe,
  momentRead,
  factsRead,
  bytesRead,
  addressRead,
  pictureRead,
  resetAsking,
  errorClear,
  registersSet,
  cartridgeCheck,
  configRead,
  configWrite,
  configWriteAsking,
  profileList,
  profileSave,
  profileDelete,
  processorRead,
  codeRead,
  memoryPeek,
  functionsCounted,
  graphSummary,
  breakpointsClear,
  keySet,
  pointerSet,
  pointerMove,
  buttonSet,
  capturesList,
  programAutostart,
  symbolsBeside,
  serialStatus,
  serialTakeNew,
  serialPlace,
  serialWait,
  serialPage,
  serialRestart,
  framesRead,
  instructionsRead,
  sourceStep,
  variablesRead,
  variableRead,
  variableWrite,
  registersRead,
  pixelsRead,
  keysFeed,
  joystickSet,
  userPortSet,
  driveReset,
  memoryTouch,
  snapshotDump,
  snapshotLoad,
  configChange,
  powerCycle,
];
