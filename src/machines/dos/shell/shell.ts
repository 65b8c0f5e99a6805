import { hex } from '../../../formats/hex.ts';
import { DosError } from '../drives/dos-error.ts';
import { upperCase } from '../drives/names.ts';
import type { Dos } from '../services/dos/dos.ts';
import { linear } from '../services/dos/far-pointer.ts';
import { returnTo } from '../services/dos/frames.ts';
import { binaryText, readText } from '../services/dos/guest-text.ts';
import { callIdle } from '../services/dos/idle.ts';
import type { DosKernel } from '../services/dos/kernel.ts';
import { commandSegment } from '../services/dos/layout.ts';
import { psp } from '../services/dos/processes.ts';
import { CallingGuest, ControlBreak, Waiting } from '../services/dos/signals.ts';
import { readInputLine, writeOutput } from '../services/dos/standard-streams.ts';
import { endings } from '../services/dos/termination.ts';
import type { Guest, ServiceOutcome } from '../services/guest.ts';
import { commandDrive } from './command-drive.ts';
import { expandVariables, parseLine, splitCommand, splitWords } from './command-line.ts';
import { helpText } from './commands/help.ts';
import { commands } from './commands/index.ts';
import { abandonJob, continueJob } from './jobs.ts';
import { findProgram, startProgram } from './program-start.ts';
import { promptText } from './prompt.ts';
import { redirect, restoreHandles } from './redirection.ts';
import { checkCall, ShellError } from './shell-command.ts';
import { variable } from './shell-environment.ts';
import { newContext, type PendingCommand, type ShellContext, type ShellState } from './shell-state.ts';
import { isDeaf, useTerminal } from './terminal.ts';

export interface ShellOptions {
  /** Run in this order before anything else. */
  readonly commands: readonly string[];
  /** Whether there is a prompt afterwards. */
  readonly interactive: boolean;
}

const lineLimit = 126;
const standardOutput = 1;
/** Longer batch files are refused: all of one is kept while it runs. */
const longestBatch = 65_536;
const maxBatches = 32;

/** The command interpreter: a process of the machine whose code is here. */
export class Shell {
  readonly #dos: Dos;
  readonly #interactive: boolean;
  state: ShellState;
  /** Told of every program and batch file that a command has started, and of commands that failed. */
  onCommand: ((command: string, problem: string | undefined) => void) | undefined;

  constructor(kernel: DosKernel, options: ShellOptions) {
    this.#dos = kernel.dos;
    this.#interactive = options.interactive;
    this.state = this.freshState(options.commands);
    kernel.mount(commandDrive.drive, commandDrive.open());
    kernel.setCommand(
      (guest) => this.run(guest),
      (guest) => this.interrupt2e(guest),
    );
  }

  /** As at the start of the machine, with these to run first. */
  freshState(commands: readonly string[]): ShellState {
    const interactive = this.#interactive;
    const origin = { stack: -1, caller: commandSegment, process: commandSegment, savedStack: 0, interactive };
    return { contexts: [newContext(origin, commands)], echo: true, errorLevel: 0, temporaries: 0, lastLine: [] };
  }

  /** True once a shell without prompt has run all its commands. */
  get finished(): boolean {
    return this.state.contexts[0]?.left ?? false;
  }

  /** It waits for somebody to type a command, and for nothing else. */
  get isAtPrompt(): boolean {
    const [context, ...others] = this.state.contexts;
    if (!context || others.length > 0) return false;
    const { prompted, running, job, pending, batches, active } = context;
    return prompted && !running && !job && !active && pending.length === 0 && batches.length === 0;
  }

  /** Of the last program. */
  get errorLevel(): number {
    return this.state.errorLevel;
  }

  /** Before what it was told to run. */
  runFirst(texts: readonly string[]): void {
    this.state.contexts[0]?.pending.unshift(...texts.map((text) => ({ text, whole: true })));
  }

  save(): ShellState {
    return structuredClone(this.state);
  }

  restore(saved: ShellState): void {
    this.state = structuredClone(saved);
  }

  /** The interpreter has the processor. */
  run(guest: Guest): ServiceOutcome {
    // A program that called INT 2Eh and then ended left its level behind.
    this.state.contexts.length = 1;
    const [context] = this.state.contexts;
    if (context === undefined) return 'wait';
    const ending = this.#turn(guest, context);
    return ending === 'more' || ending === 'started' ? 'done' : callIdle(this.#dos);
  }

  /** INT 2Eh: one command line at DS:SI for a program; for our COMMAND.COM, all that its command tail asks for. */
  interrupt2e(guest: Guest): ServiceOutcome {
    const { processes } = this.#dos;
    const stack = ((guest.ss << 16) | guest.sp) >>> 0;
    let context = this.state.contexts.at(-1);
    if (context === undefined || context.stack !== stack) {
      context = this.#open(guest, stack);
      this.state.contexts.push(context);
    }
    processes.current = context.process;
    const ending = this.#turn(guest, context);
    if (ending === 'waits') return callIdle(this.#dos);
    if (ending === 'more') returnTo(guest, this.#dos.entry('int2e'), 0x7002);
    if (ending !== 'idle') return 'done';
    this.state.contexts.pop();
    processes.current = context.caller;
    processes.setLong(context.process, psp.stack, context.savedStack);
    guest.ax = this.state.errorLevel;
    return 'done';
  }

  print(text: string): void {
    const context = this.state.contexts.at(-1);
    const { handles, console } = this.#dos;
    if (!handles.isValid(standardOutput)) {
      // A program has written over our handles; whoever reads this should still hear of it.
      for (let i = 0; i < text.length; i++) console.write(text.charCodeAt(i));
      // Into a file in one piece: a command may run twice when the driver of its drive is one of the guest.
    } else if (context !== undefined && context.savedOutput >= 0 && !handles.file(standardOutput).isDevice) {
      context.printed += text;
    } else for (let i = 0; i < text.length; i++) writeOutput(this.#dos, text.charCodeAt(i));
  }

  /** Runs one command, internal or not. `called` batch files come back to the one that called them. */
  execute(guest: Guest, context: ShellContext, text: string, called: boolean): void {
    const dos = this.#dos;
    const { name, tail } = splitCommand(text.replace(/^[\s@]+/, ''));
    if (name === '') return;
    if (/^[a-z]:$/i.test(name)) {
      this.#selectDrive(name);
      return;
    }
    const command = commands.get(upperCase(name));
    const path = command === undefined || command.isProgram ? findProgram(dos, name) : undefined;
    if (command !== undefined && path === undefined) {
      if (asksForHelp(name, tail)) {
        this.print(helpText(command.names[0] ?? name));
        return;
      }
      const call = { dos, shell: this, context, guest, tail, ...splitWords(tail) };
      checkCall(command, call);
      command.run(call);
      return;
    }
    if (path === undefined) throw new ShellError('Bad command or file name');
    if (path.endsWith('.BAT')) this.#startBatch(context, path, name, tail, called);
    else {
      startProgram(dos, guest, path, tail, context.stack >= 0);
      context.running = true;
    }
    this.onCommand?.(text, undefined);
  }

  /** What it kept waiting goes on. */
  endBatch(context: ShellContext): void {
    const ended = context.batches.pop();
    if (ended === undefined) return;
    context.pending.push(...ended.after);
    this.state.echo = ended.echo;
  }

  #open(guest: Guest, stack: number): ShellContext {
    const { processes, memory } = this.#dos;
    const address = linear(guest.ds, guest.si);
    const line = readText(memory, address + 1, memory.read8(address)).replace(/[\r\n\0].*$/s, '');
    const own = guest.ax === commandDrive.mark;
    const caller = processes.current;
    const process = own ? caller : commandSegment;
    const savedStack = processes.long(process, psp.stack);
    const [, command] = (own ? /\/c\s*(.*)$/is.exec(line) : ['', line]) ?? [];
    const interactive = command === undefined;
    return newContext({ stack, caller, process, savedStack, interactive }, interactive ? [] : [command]);
  }

  /** One command, or a piece of one: then the machine gets a turn. */
  #turn(guest: Guest, context: ShellContext): 'idle' | 'waits' | 'started' | 'more' {
    try {
      if (context.running) this.#programEnded(context);
      if (!this.#step(guest, context)) return 'idle';
      this.#dos.drivers.commit();
      if (context.running) return 'started';
    } catch (error) {
      if (error instanceof Waiting) return 'waits';
      if (error instanceof CallingGuest) throw error;
      this.#report(context, error);
    }
    return 'more';
  }

  /** False where nothing is left to do. */
  #step(guest: Guest, context: ShellContext): boolean {
    const { job } = context;
    if (context.ending) {
      this.#end(context);
      return true;
    }
    if (job !== undefined) {
      context.job = continueJob(this.#dos, this, context, job);
    } else {
      const command = context.active ?? this.#begin(context);
      if (command === undefined) return false;
      context.printed = '';
      this.execute(guest, context, command.text, false);
    }
    if (context.job === undefined && !context.running) this.#end(context);
    return true;
  }

  /** The next command, with its redirections in force. It comes again where their drives must be asked first. */
  #begin(context: ShellContext): PendingCommand | undefined {
    const next = context.pending.shift() ?? this.#nextLine(context);
    if (next === undefined) return undefined;
    const command = next.whole ? this.#queue(context, next.text) : next;
    try {
      redirect(this.#dos, context, command);
    } catch (error) {
      if (error instanceof CallingGuest) context.pending.unshift(command);
      throw error;
    }
    if (next.isShown && this.state.echo) this.print(`\r\n${promptText(this.#dos)}${next.text}\r\n`);
    return command;
  }

  #end(context: ShellContext): void {
    context.ending = true;
    try {
      restoreHandles(this.#dos, context);
    } catch (error) {
      context.ending = error instanceof CallingGuest;
      throw error;
    }
    context.ending = false;
  }

  /** For a command that is given up: what else is to be told of it. */
  #giveUp(context: ShellContext): string {
    const { job } = context;
    context.job = undefined;
    try {
      try {
        if (job !== undefined) abandonJob(this.#dos, job);
      } finally {
        this.#end(context);
      }
      return '';
    } catch (error) {
      return `${messageOf(error)}\r\n`;
    }
  }

  #nextLine(context: ShellContext): PendingCommand | undefined {
    if (context.left) return undefined;
    const batch = context.batches.at(-1);
    if (batch !== undefined) {
      const line = batch.lines[batch.next++];
      if (line !== undefined) return this.#batchLine(context, line);
      this.endBatch(context);
      return { text: '' };
    }
    if (!context.interactive || this.#inputEnded(context)) {
      context.left = true;
      return undefined;
    }
    return this.#typedLine(context);
  }

  /** What is in the place of the keyboard has been read to its end. The first interpreter goes back to the keyboard then. */
  #inputEnded(context: ShellContext): boolean {
    const dos = this.#dos;
    if (isDeaf(dos)) {
      if (context.stack >= 0) return true;
      useTerminal(dos, context, 'CON');
    }
    const file = dos.handles.file(0);
    return !file.isDevice && file.position >= dos.handles.size(file);
  }

  #typedLine(context: ShellContext): PendingCommand {
    const dos = this.#dos;
    if (!context.prompted) {
      if (this.state.echo) this.print(`\r\n${promptText(dos)}`);
      context.prompted = true;
    }
    const line = readInputLine(dos, lineLimit, this.state.lastLine);
    context.prompted = false;
    this.state.lastLine = line;
    this.print('\n');
    return this.#queue(context, binaryText(Uint8Array.from(line)));
  }

  #batchLine(context: ShellContext, line: string): PendingCommand {
    const batch = context.batches.at(-1);
    const parameter = (index: number) => batch?.parameters[index + batch.shifted] ?? '';
    const text = expandVariables(line, parameter, (name) => variable(this.#dos, name)).trimStart();
    if (text === '' || text.startsWith(':')) return { text: '' };
    if (text.startsWith('@')) return this.#queue(context, text.slice(1));
    if (this.state.echo) this.print(`\r\n${promptText(this.#dos)}${text}\r\n`);
    return this.#queue(context, text);
  }

  /** A line as commands: the first at once, the others of a pipe after it. */
  #queue(context: ShellContext, text: string): PendingCommand {
    const parsed = parseLine(text, () => this.#temporaryName());
    if (parsed === undefined) throw new ShellError('Syntax error');
    const [first, ...rest] = parsed;
    context.pending.unshift(...rest);
    return first ?? { text: '' };
  }

  #temporaryName(): string {
    const folder = variable(this.#dos, 'TEMP') || `${String.fromCharCode(0x41 + this.#dos.area.currentDrive)}:\\`;
    this.state.temporaries++;
    const number = hex(this.state.temporaries, 6);
    return `${/[\\/:]$/.test(folder) ? folder : `${folder}\\`}PI${number}.$$$`;
  }

  #startBatch(context: ShellContext, path: string, name: string, tail: string, called: boolean): void {
    const bytes = this.#dos.loader.readFile(this.#dos.paths.resolve(path));
    if (bytes.length > longestBatch) throw new ShellError('Batch file is too long');
    const text = binaryText(bytes).replace(/\x1a.*$/s, '');
    const parameters = [name, ...tail.split(/[\s,;=]+/).filter((word) => word !== '')];
    if (called && context.batches.length >= maxBatches) throw new ShellError('Batch files are nested too deep');
    // One that is not called ends the FOR it is in, and takes the place of the batch file it is in.
    const replaced = called ? undefined : context.batches.pop();
    const isOfPipe = ({ temporary }: PendingCommand) => temporary !== undefined;
    const rest = context.pending.filter((command) => !isOfPipe(command) && (called || command.isShown === undefined));
    context.pending = context.pending.filter(isOfPipe);
    const after = [...rest, ...(replaced?.after ?? [])];
    const { echo } = replaced ?? this.state;
    context.batches.push({ lines: text.split(/\r?\n/), next: 0, parameters, shifted: 0, after, echo });
  }

  #programEnded(context: ShellContext): void {
    const { area } = this.#dos;
    context.running = false;
    this.state.errorLevel = area.returnCode & 0xff;
    if (area.returnCode >> 8 === endings.controlBreak && context.batches.length > 0) {
      context.job = { kind: 'terminateBatch' };
      this.#end(context);
      this.print('\r\nTerminate batch job (Y/N)?');
    } else this.#end(context);
  }

  #selectDrive(name: string): void {
    const drive = upperCase(name).charCodeAt(0) - 0x41;
    if (!this.#dos.directories.valid(drive)) throw new ShellError('Invalid drive specification');
    this.#dos.realDrive(drive);
    this.#dos.area.currentDrive = drive;
  }

  /** Tells the user what went wrong, and drops the rest of the command. */
  #report(context: ShellContext, error: unknown): void {
    const command = context.active?.text ?? '';
    const also = this.#giveUp(context);
    if (error instanceof ControlBreak) {
      this.print(`^C\r\n${also}`);
      context.prompted = false;
      context.pending = [];
      if (context.batches.length > 0) {
        context.job = { kind: 'terminateBatch' };
        this.print('Terminate batch job (Y/N)?');
      }
      return;
    }
    const text = messageOf(error);
    this.print(`${text}\r\n${also}`);
    this.onCommand?.(command, text);
  }
}

/** `/?` among the words; where the words are a text or another command, alone. */
function asksForHelp(name: string, tail: string): boolean {
  const isText = /^(echo|rem|set|if|for|call|goto|prompt|lh|loadhigh)$/i.test(name);
  return isText ? tail.trim() === '/?' : /(^|\s)\/\?(\s|$)/.test(tail);
}

/** What fails otherwise is a fault of ours. */
function messageOf(error: unknown): string {
  if (error instanceof ShellError) return error.message;
  if (!(error instanceof DosError)) throw error;
  if (error.code === 18) return 'File not found';
  return error.message.charAt(0).toUpperCase() + error.message.slice(1);
}
