import { annotationsRead } from './annotations-read.ts';
import { audioCapture } from './audio-capture.ts';
import { batch } from './batch.ts';
import { bootRead } from './boot-read.ts';
import { breakpointDelete } from './breakpoint-delete.ts';
import { breakpointList } from './breakpoint-list.ts';
import { breakpointSet } from './breakpoint-set.ts';
import { callsRead } from './calls-read.ts';
import { chipRead } from './chip-read.ts';
import { chipWrite } from './chip-write.ts';
import { consoleLogin } from './console-login.ts';
import { consoleRead } from './console-read.ts';
import { consoleRecord } from './console-record.ts';
import { consoleSend } from './console-send.ts';
import { consoleSetup } from './console-setup.ts';
import { coverageRead } from './coverage-read.ts';
import { crashDump } from './crash-dump.ts';
import { crashExplain } from './crash-explain.ts';
import { cyclesRead } from './cycles-read.ts';
import { debugPort } from './debug-port.ts';
import { disassemble } from './disassemble.ts';
import { evaluate } from './evaluate.ts';
import { eventsRead } from './events-read.ts';
import { fileGet } from './file-get.ts';
import { filePut } from './file-put.ts';
import { filmRead } from './film-read.ts';
import { frameTrace } from './frame-trace.ts';
import { frameXray } from './frame-xray.ts';
import { functionsList } from './functions-list.ts';
import { graphRead } from './graph-read.ts';
import { guestAsk } from './guest-ask.ts';
import { historyRead } from './history-read.ts';
import { inputSend } from './input-send.ts';
import { inputSequence } from './input-sequence.ts';
import { linuxRead } from './linux-read.ts';
import { machineKinds } from './machine-kinds.ts';
import { machineList } from './machine-list.ts';
import { machineReset } from './machine-reset.ts';
import { machineStart } from './machine-start.ts';
import { machineStop } from './machine-stop.ts';
import { mediaAttach } from './media-attach.ts';
import { mediaDetach } from './media-detach.ts';
import { memoryCompare } from './memory-compare.ts';
import { memoryFreeze } from './memory-freeze.ts';
import { memoryRead } from './memory-read.ts';
import { memorySearch } from './memory-search.ts';
import { memoryWrite } from './memory-write.ts';
import { monitorExecute } from './monitor-execute.ts';
import { namesExport } from './names-export.ts';
import { namesImport } from './names-import.ts';
import { namesWrite } from './names-write.ts';
import { networkCaptureRead } from './network-capture-read.ts';
import { networkCaptureStart } from './network-capture-start.ts';
import { networkCaptureStop } from './network-capture-stop.ts';
import { pagesRead } from './pages-read.ts';
import { pause } from './pause.ts';
import { profileRead } from './profile-read.ts';
import { programCompare } from './program-compare.ts';
import { programRun } from './program-run.ts';
import { registersWrite } from './registers-write.ts';
import { routineCall } from './routine-call.ts';
import { run } from './run.ts';
import { screenRead } from './screen-read.ts';
import { snapshotDelete } from './snapshot-delete.ts';
import { snapshotList } from './snapshot-list.ts';
import { snapshotRestore } from './snapshot-restore.ts';
import { snapshotSave } from './snapshot-save.ts';
import { sourceRead } from './source-read.ts';
import { stateRead } from './state-read.ts';
import { step } from './step.ts';
import { symbolsLoad } from './symbols-load.ts';
import type { Tool } from './tool.ts';
import { toolFind } from './tool-find.ts';
import { traceRead } from './trace-read.ts';
import { traceStart } from './trace-start.ts';
import { traceStop } from './trace-stop.ts';
import { valueFind } from './value-find.ts';

/** Every tool there is, in the order in which clients list them. */
export const tools: readonly Tool[] = [
  machineKinds,
  machineStart,
  machineList,
  machineStop,
  machineReset,
  run,
  pause,
  screenRead,
  inputSend,
  programRun,
  consoleSend,
  consoleRead,
  mediaAttach,
  mediaDetach,
  snapshotSave,
  snapshotRestore,
  snapshotList,
  snapshotDelete,
  batch,
  toolFind,
  stateRead,
  registersWrite,
  memoryRead,
  memoryWrite,
  disassemble,
  step,
  breakpointSet,
  breakpointList,
  breakpointDelete,
  memorySearch,
  memoryCompare,
  programCompare,
  consoleSetup,
  consoleRecord,
  eventsRead,
  consoleLogin,
  filePut,
  guestAsk,
  fileGet,
  networkCaptureStart,
  networkCaptureStop,
  networkCaptureRead,
  monitorExecute,
  symbolsLoad,
  pagesRead,
  crashExplain,
  crashDump,
  linuxRead,
  evaluate,
  sourceRead,
  annotationsRead,
  chipRead,
  chipWrite,
  cyclesRead,
  bootRead,
  frameTrace,
  frameXray,
  profileRead,
  inputSequence,
  audioCapture,
  functionsList,
  graphRead,
  namesWrite,
  namesExport,
  namesImport,
  callsRead,
  traceStart,
  traceStop,
  traceRead,
  coverageRead,
  memoryFreeze,
  routineCall,
  historyRead,
  filmRead,
  valueFind,
  debugPort,
];
