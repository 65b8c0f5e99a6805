import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { MachineError } from '../../../machine/errors.ts';
import { type PathHost, pathToRead, pathToWrite } from '../host-paths.ts';
import type { QemuOptions } from '../qemu-options.ts';
import type { RuntimePaths } from './runtime-paths.ts';

/** A file that is given to a kernel, and for a multiboot one its arguments, which begin with a blank. */
interface BootModule {
  readonly file: string;
  readonly args: string;
}

export interface AllowedOptions {
  /** With every path of theirs looked up and allowed. */
  readonly options: QemuOptions;
  /** What `initrd` names. */
  readonly modules: readonly BootModule[];
}

export async function withAllowedPaths(options: QemuOptions, host: PathHost): Promise<AllowedOptions> {
  const paths: Record<string, string | readonly string[]> = {};
  for (const name of ['kernel', 'dtb', 'bios'] as const) {
    const path = options[name];
    if (path === undefined) continue;
    // Firmware that comes with QEMU goes by its bare name.
    const comesWithQemu = name === 'bios' && /^[\w.-]+$/.test(path) && !existsSync(path);
    paths[name] = comesWithQemu ? path : await pathToRead(path, host);
  }
  const modules = options.initrd === undefined ? [] : await allowedModules(options.initrd, host);
  if (modules.length > 0) paths.initrd = modules.map(({ file, args }) => file + args);
  if (options.share !== undefined) {
    paths.share = await (options.share_writable ? pathToWrite : pathToRead)(options.share, host);
  }
  for (const name of ['work_dir', 'snapshot_dir'] as const) {
    const path = options[name];
    if (path !== undefined) paths[name] = await pathToWrite(path, host);
  }
  return { options: { ...options, ...paths }, modules };
}

/** One file as it is, or modules of a multiboot kernel: `FILE ARGUMENTS`, as a list or with commas between them. */
async function allowedModules(given: string | readonly string[], host: PathHost): Promise<BootModule[]> {
  if (typeof given === 'string') {
    const whole = await ofAllowed(given, host);
    if (typeof whole === 'string') return [{ file: whole, args: '' }];
    if (!/[ ,]/.test(given)) throw whole;
  }
  // A comma that belongs to a name or an argument is written twice.
  const texts =
    typeof given === 'string' ? given.split(/(?<!,),(?!,)/).map((text) => text.replaceAll(',,', ',')) : given;
  const modules: BootModule[] = [];
  for (const text of texts) modules.push(await allowedModule(text.trim(), host));
  return modules;
}

/** Names may have blanks: the shortest beginning that is a file is the name. */
async function allowedModule(text: string, host: PathHost): Promise<BootModule> {
  let first: unknown;
  const blanks = [...text.matchAll(/ /g)].map(({ index }) => index);
  for (const end of [...blanks, text.length]) {
    const path = await ofAllowed(text.slice(0, end), host);
    if (typeof path === 'string') return { file: path, args: text.slice(end) };
    first ??= path;
  }
  throw first;
}

/** The file, or why it is none. */
async function ofAllowed(path: string, host: PathHost): Promise<string | MachineError> {
  try {
    const allowed = await pathToRead(path, host);
    if ((await stat(allowed)).isFile()) return allowed;
    return new MachineError('INVALID_ARGUMENT', `${path} is not a file.`, 'Name a file in "initrd".');
  } catch (error) {
    if (error instanceof MachineError) return error;
    const why = error instanceof Error ? error.message : String(error);
    return new MachineError('NOT_FOUND', `${path} cannot be read: ${why}.`, 'Name a file in "initrd".');
  }
}

/**
 * The value of `-initrd`. To a multiboot kernel a comma ends a module and a blank the name of its file, to Linux both
 * are part of it; which of them it is shows only when QEMU opens the kernel. So a file with either in its name gets
 * another one.
 */
export async function initrdArgument(
  modules: readonly BootModule[],
  paths: Pick<RuntimePaths, 'plainLink'>,
): Promise<string | undefined> {
  const words: string[] = [];
  for (const { file, args } of modules) {
    const plain = /[\s,]/.test(file) ? await paths.plainLink(file) : file;
    words.push(plain + args.replaceAll(',', ',,'));
  }
  return words.length > 0 ? words.join(',') : undefined;
}
