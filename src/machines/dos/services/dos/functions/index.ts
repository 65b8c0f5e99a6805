import type { DosFunction } from '../dos-function.ts';
import { characterOutput } from './character-output.ts';
import { consoleInput } from './console-input.ts';
import { countryFunctions } from './country.ts';
import { dateTimeFunctions } from './date-time.ts';
import { directoryFunctions } from './directories.ts';
import { driveFunctions } from './drives.ts';
import { exec } from './exec.ts';
import { extendedOpenFunctions } from './extended-open.ts';
import { fcbFileFunctions } from './fcb-files.ts';
import { fcbParse } from './fcb-parse.ts';
import { fcbRecordFunctions } from './fcb-records.ts';
import { fcbSearchFunctions } from './fcb-search.ts';
import { filePropertyFunctions } from './file-properties.ts';
import { fileFunctions } from './files.ts';
import { findFunctions } from './find.ts';
import { ioctl } from './ioctl.ts';
import { memoryFunctions } from './memory.ts';
import { processFunctions } from './processes.ts';
import { sharingFunctions } from './sharing.ts';
import { systemFunctions } from './system.ts';
import { vectorFunctions } from './vectors.ts';

/** Every function of INT 21h. */
export const functions: readonly DosFunction[] = [
  ...consoleInput,
  ...characterOutput,
  ...driveFunctions,
  ...dateTimeFunctions,
  ...systemFunctions,
  ...vectorFunctions,
  ...directoryFunctions,
  ...fileFunctions,
  ...filePropertyFunctions,
  ...findFunctions,
  ...extendedOpenFunctions,
  ...memoryFunctions,
  ...processFunctions,
  ...fcbFileFunctions,
  ...fcbSearchFunctions,
  ...fcbRecordFunctions,
  fcbParse,
  ioctl,
  ...countryFunctions,
  ...sharingFunctions,
  exec,
];
