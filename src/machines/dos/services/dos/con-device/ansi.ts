import type { Console } from '../wiring.ts';

/** What escapeCode sequences have changed. Plain, so that a snapshot is a copy. */
export interface AnsiState {
  /** Bytes of a sequence that is not complete; empty outside one. */
  sequence: number[];
  attribute: number;
  saved: { row: number; column: number };
  /** Answers that are read as if typed. */
  answers: number[];
  /** Keys that stand for other bytes: 256 + scan code, or the character. */
  keys: [key: number, bytes: number[]][];
}

const controlPrintScreen = 256 + 0x72;
const controlP = 0x10;
const escapeCode = 0x1b;
const maxSequence = 128;

export function newAnsiState(): AnsiState {
  return {
    sequence: [],
    attribute: 7,
    saved: { row: 0, column: 0 },
    answers: [],
    keys: [[controlPrintScreen, [controlP]]],
  };
}

/** ANSI colours in the order of the PC's. */
const colors = [0, 4, 2, 6, 1, 5, 3, 7];

/** Takes one byte of output: prints it, or collects and then obeys a sequence. */
export function ansiWrite(state: AnsiState, console: Console, byte: number): void {
  const { sequence } = state;
  if (sequence.length === 0) {
    if (byte === escapeCode) sequence.push(byte);
    else console.write(byte);
    return;
  }
  if (sequence.length === 1) {
    if (byte === 0x5b) sequence.push(byte);
    else {
      state.sequence = [];
      console.write(escapeCode);
      ansiWrite(state, console, byte);
    }
    return;
  }
  const quotes = sequence.filter((part) => part === 0x22).length;
  const letter = (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
  if (quotes % 2 === 0 && letter) {
    state.sequence = [];
    obey(state, console, String.fromCharCode(byte), parameters(sequence.slice(2)));
  } else if (sequence.length < maxSequence) sequence.push(byte);
  else state.sequence = [];
}

/** Numbers, and the bytes of quoted strings; undefined where a number was left out. */
function parameters(bytes: readonly number[]): (number | undefined)[] {
  const text = String.fromCharCode(...bytes).replace(/^[=?]/, '');
  if (text === '') return [];
  return (text.match(/"[^"]*"|[^;"]+|(?<=;|^)(?=;|$)/g) ?? []).flatMap((part) => {
    if (part.startsWith('"')) return Array.from(part.slice(1, -1), (character) => character.charCodeAt(0));
    return part === '' ? [undefined] : [Number.parseInt(part, 10) || 0];
  });
}

function obey(state: AnsiState, console: Console, command: string, values: readonly (number | undefined)[]): void {
  const { screen } = console;
  const { row, column } = screen.cursor();
  const count = Math.max(1, values[0] ?? 1);
  const move = (toRow: number, toColumn: number) =>
    screen.moveCursor(clamp(toRow, screen.rows - 1), clamp(toColumn, screen.columns - 1));
  switch (command) {
    case 'H':
    case 'f':
      move(count - 1, Math.max(1, values[1] ?? 1) - 1);
      break;
    case 'A':
      move(row - count, column);
      break;
    case 'B':
      move(row + count, column);
      break;
    case 'C':
      move(row, column + count);
      break;
    case 'D':
      move(row, column - count);
      break;
    case 's':
      state.saved = { row, column };
      break;
    case 'u':
      move(state.saved.row, state.saved.column);
      break;
    case 'J':
      screen.clear(0, 0, screen.rows, 0, state.attribute);
      move(0, 0);
      break;
    case 'K':
      screen.clear(row, column, row + 1, 0, state.attribute);
      break;
    case 'm':
      for (const value of values.length === 0 ? [0] : values) state.attribute = colored(state.attribute, value ?? 0);
      screen.setAttribute(state.attribute);
      break;
    case 'n':
      if (values[0] === 6) state.answers.push(...report(row, column));
      break;
    case 'p':
      redefine(state, values);
      break;
  }
}

function report(row: number, column: number): number[] {
  return Array.from(`\x1b[${row + 1};${column + 1}R\r`, (character) => character.charCodeAt(0));
}

function redefine(state: AnsiState, values: readonly (number | undefined)[]): void {
  const [first = 0, second = 0, ...rest] = values.map((value) => value ?? 0);
  if (values.length < 2) {
    state.keys = newAnsiState().keys;
    return;
  }
  const key = first === 0 ? 256 + second : first;
  const bytes = first === 0 ? rest : [second, ...rest];
  state.keys = [...state.keys.filter(([known]) => known !== key), [key, bytes]];
}

function colored(attribute: number, value: number): number {
  if (value === 0) return 7;
  if (value === 1) return attribute | 8;
  if (value === 5) return attribute | 0x80;
  if (value === 7) return (attribute & 0x88) | ((attribute & 7) << 4) | ((attribute >> 4) & 7);
  if (value === 8) return (attribute & 0xf8) | ((attribute >> 4) & 7);
  if (value >= 30 && value <= 37) return (attribute & 0xf8) | (colors[value - 30] ?? 0);
  if (value >= 40 && value <= 47) return (attribute & 0x8f) | ((colors[value - 40] ?? 0) << 4);
  return attribute;
}

function clamp(value: number, max: number): number {
  return Math.min(Math.max(value, 0), max);
}
