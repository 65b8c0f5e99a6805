import { fromCodePage } from '../../../../formats/code-page-437.ts';
import { formatName } from '../../drives/names.ts';
import type { Dos } from './dos.ts';
import { readEnvironment, readProgramPath } from './environment.ts';
import { linear } from './far-pointer.ts';
import { readText } from './guest-text.ts';
import { commandSegment, openFilesMax } from './layout.ts';
import { psp } from './processes.ts';
import type { SystemFile } from './system-files.ts';

/** Memory, processes and files as someone looking on wants to read them. Text is Unicode. */
export interface DosView {
  readonly blocks: readonly BlockView[];
  /** From the running process up to the command interpreter. */
  readonly processes: readonly ProcessView[];
  readonly files: readonly FileView[];
}

export interface BlockView {
  readonly segment: number;
  readonly paragraphs: number;
  /** Segment of the owner's PSP, 0 where the block is free. */
  readonly owner: number;
  readonly name: string;
}

export interface ProcessView {
  readonly segment: number;
  readonly parent: number;
  readonly program: string;
  readonly arguments: string;
  readonly environment: readonly string[];
  readonly handles: readonly { readonly handle: number; readonly file: FileView }[];
}

export interface FileView {
  readonly name: string;
  /** Empty for devices. */
  readonly drive: string;
  readonly references: number;
  readonly position: number;
  readonly size: number;
  readonly owner: number;
}

const deepest = 64;

export function viewDos(dos: Dos): DosView {
  const blocks = [...dos.blocks.walkAll()].map(({ control, paragraphs, owner, name }) => ({
    segment: control + 1,
    paragraphs,
    owner,
    name: fromCodePage(name),
  }));
  return { blocks, processes: processChain(dos), files: [...dos.files.open()].map(viewFile) };
}

function processChain(dos: Dos): ProcessView[] {
  const chain: ProcessView[] = [];
  let segment = dos.processes.current;
  while (chain.length < deepest) {
    const view = viewProcess(dos, segment);
    chain.push(view);
    if (view.parent === segment || segment === commandSegment) break;
    segment = view.parent;
  }
  return chain;
}

function viewProcess({ memory, processes, files }: Dos, segment: number): ProcessView {
  const environment = processes.word(segment, psp.environment);
  const handles: { handle: number; file: FileView }[] = [];
  for (let handle = 0; handle < Math.min(processes.handleCount(segment), 255); handle++) {
    const index = processes.handle(segment, handle);
    if (index < openFilesMax) handles.push({ handle, file: viewFile(files.get(index)) });
  }
  const tail = linear(segment, psp.tail);
  return {
    segment,
    parent: processes.word(segment, psp.parent),
    program: segment === commandSegment ? 'COMMAND' : fromCodePage(readProgramPath(memory, environment)),
    arguments: fromCodePage(readText(memory, tail + 1, Math.min(memory.read8(tail), 126))).trim(),
    environment: readEnvironment(memory, environment).map(fromCodePage),
    handles,
  };
}

function viewFile(file: SystemFile): FileView {
  return {
    name: fromCodePage(file.isDevice ? file.name.trimEnd() : formatName(file.name)),
    drive: file.isDevice ? '' : `${String.fromCharCode(0x41 + file.drive)}:`,
    references: file.references,
    position: file.position,
    size: file.size,
    owner: file.owner,
  };
}
