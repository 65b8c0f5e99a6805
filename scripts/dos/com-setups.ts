/** What a self-test needs around it, and how its verdict is read. Facts about the tests, as their harness states them. */
export interface ComSetup {
  /** Another test of the same program. */
  readonly as?: string;
  /** Files beside it: from the folder of the test by name, or their text. */
  readonly files?: Readonly<
    Record<string, { readonly from: string } | { readonly text: string; readonly readOnly?: true }>
  >;
  /** A batch file to run instead of the program. */
  readonly batch?: string;
  /** Redirected standard input. */
  readonly input?: string;
  /** Keys held together once the program has said that it is ready, or from the start. */
  readonly keys?: readonly string[];
  readonly keysAtOnce?: true;
  readonly instructionsPerSecond?: number;
  /** Text that must be on the screen at the end. */
  readonly screen?: string;
  /** Character and attribute by row and column. */
  readonly cells?: readonly (readonly [row: number, column: number, character: string, attribute?: number])[];
  /** Largest free block afterwards, in paragraphs, at least. */
  readonly free?: number;
  /** Bytes on the port for details, the first of them, or one among them: the number of the last check. */
  readonly details?: readonly number[];
  readonly reaches?: number;
  /** It judges nothing: coming to its HLT is enough. */
  readonly halts?: true;
}

/** P for passed. */
const showsP = (column: number): ComSetup => ({ cells: [[0, column, 'P']] });
/** DOS goes on at the address in the program's prefix, so what the test does with vector 22h changes nothing. */
const endsWith = (code: number): ComSetup => ({
  batch: `@echo off\r\nTEST\r\nif errorlevel ${code} if not errorlevel ${code + 1} echo it ended with ${code}\r\n`,
  screen: `it ended with ${code}`,
});

const menu = [
  '@echo off',
  ':START',
  'TEST',
  'if ERRORLEVEL = 10 goto FIN',
  'if ERRORLEVEL = 4 goto START',
  'if ERRORLEVEL = 3 goto F3',
  'if ERRORLEVEL = 2 goto F2',
  'if ERRORLEVEL = 1 goto F1',
  'goto START',
  ':F3',
  'echo chose D',
  'goto FIN',
  ':F2',
  'echo chose E',
  'goto FIN',
  ':F1',
  'echo chose F',
  'goto FIN',
  ':FIN',
  'echo end of menu',
].join('\r\n');

const chosen = (key: string, screen: string): ComSetup => ({
  as: key,
  batch: menu,
  keys: [key],
  keysAtOnce: true,
  screen,
});

export const comSetups: Readonly<Record<string, ComSetup | readonly ComSetup[]>> = {
  'DosBatchTests/TESTFKEY': [
    chosen('f1', 'chose F'),
    chosen('f2', 'chose E'),
    chosen('f3', 'chose D'),
    chosen('f10', 'end of menu'),
  ],
  'DosExecTests/dos_exec_master': {
    files: {
      'CHILD.COM': { from: 'child.com' },
      'TSR_HOOK.COM': { from: 'tsr_hook.com' },
      'TEST.000': { from: 'overlay_driver.bin' },
    },
    screen: 'SEMJCTLOAV',
  },
  'DosFcbTests/fcb_process_isolation': { files: { 'FCBCHILD.COM': { from: 'fcbchild.com' } }, screen: 'SCWOXER' },
  'DosInt21Tests/check_stdin_status_ctrl_break': [
    { as: 'ctrl-c', keys: ['ctrl', 'c'], instructionsPerSecond: 100_000 },
    { as: 'ctrl-break', keys: ['ctrl', 'break'], instructionsPerSecond: 100_000 },
  ],
  'DosInt21Tests/device_status_report': { details: [...'\x1b[5;10R\r'].map((each) => each.charCodeAt(0)) },
  'DosInt21Tests/file_attributes_readonly': { files: { 'TESTATTR.TXT': { text: 'test', readOnly: true } } },
  'DosInt21Tests/file_attributes_readonly_no_archive': { files: { 'TESTATTR.TXT': { text: 'test', readOnly: true } } },
  'DosInt21Tests/flush_input_clears_stuffahead': { keys: ['q'], keysAtOnce: true, details: [0x5a] },
  'DosInt21Tests/keyboard_reassignment_reset': { details: [0x10] },
  'DosInt21Tests/set_file_attributes_roundtrip': { files: { 'SETATR.TXT': { text: 'test' } } },
  'DosInt21Tests/standard_file_handles_inherited': { details: [0, 1, 2] },
  'DosInt21Tests/stdin_buffered_read_ah0a': { input: 'Hello\r' },
  'DosInt21Tests/stdin_read_ah01': { input: 'A' },
  'DosInt21Tests/stdin_read_ah07': { input: 'A' },
  'DosInt21Tests/stdin_read_ah08': { input: 'A' },
  'DosReallocTest/realloc_test_pad0': showsP(0),
  'DosReallocTest/realloc_test_pad1': showsP(1),
  'DosReallocTest/realloc_test_pad12': showsP(5),
  'DosReallocTest/realloc_test_pad13': showsP(2),
  'DosReallocTest/realloc_test_pad15': showsP(3),
  'DosReallocTest/realloc_test_pad16': showsP(4),
  'DosTsrTests/tsr22h': endsWith(0),
  'DosTsrTests/tsr_basic': [
    endsWith(0),
    { as: 'in a batch', batch: '@echo off\r\nTEST\r\necho and on\r\n', screen: 'and on' },
  ],
  'DosTsrTests/tsr_interrupt_vector': endsWith(0),
  'DosTsrTests/tsr_large_paragraphs': endsWith(0),
  'DosTsrTests/tsr_parent_psp_size': { free: 0x8000 },
  'DosTsrTests/tsr_return_code': endsWith(0x42),
  'DosTsrTests/tsr_valid_paragraphs': endsWith(0),
  'DosTsrTests/tsr_zero_paragraphs': endsWith(0),
  'RtcTests/bios_int15h_83h': { reaches: 5 },
  'RtcTests/bios_int1a': { reaches: 6 },
  'RtcTests/bios_int70_wait': { reaches: 7 },
  'RtcTests/cmos_ports': { reaches: 7 },
  'RtcTests/dos_int21h': { reaches: 11 },
  'cpuTests/intchain': { halts: true },
  'VgaTests/scroll_up_clears_full_row': {
    cells: [
      [0, 0, 'B', 0x1f],
      [0, 79, 'B', 0x1f],
      [1, 0, 'C', 0x1f],
      [1, 79, 'C', 0x1f],
      [2, 0, ' ', 0x07],
      [2, 40, ' ', 0x07],
      [2, 79, ' ', 0x07],
    ],
  },
};

/** Programs that others run, or that are no test by themselves. */
export const notTests = ['DosFcbTests/fcbchild', 'DosExecTests/child', 'DosExecTests/tsr_hook'];
