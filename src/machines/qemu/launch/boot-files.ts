import { existsSync } from 'node:fs';
import { MachineError } from '../../../machine/errors.ts';
import type { OpenedFiles, OpenedPath } from '../opened-files.ts';
import type { QemuOptions } from '../qemu-options.ts';
import type { RuntimePaths } from './runtime-paths.ts';

/** A file that is given to a kernel, and for a multiboot one its arguments, which begin with a blank. */
interface BootModule {
  readonly file: OpenedPath;
  readonly args: string;
}

const bootFiles = ['kernel', 'dtb', 'bios'] as const;

export interface AllowedOptions {
  /** With every path of theirs looked up and allowed, for people and for the next start. */
  readonly options: QemuOptions;
  /** What `initrd` names. */
  readonly modules: readonly BootModule[];
  readonly granted: GrantedPaths;
}

/** What QEMU, and we ourselves, open for the options of these names. */
export interface GrantedPaths {
  readonly kernel?: OpenedPath;
  readonly dtb?: OpenedPath;
  readonly bios?: OpenedPath;
  readonly share?: OpenedPath;
  readonly work_dir?: OpenedPath;
  readonly snapshot_dir?: OpenedPath;
}

export async function withAllowedPaths(options: QemuOptions, files: OpenedFiles): Promise<AllowedOptions> {
  const granted: Partial<Record<keyof GrantedPaths, OpenedPath>> = {};
  for (const name of bootFiles) {
    const path = options[name];
    if (path === undefined) continue;
    // Firmware that comes with QEMU goes by its bare name.
    const comesWithQemu = name === 'bios' && /^[\w.-]+$/.test(path) && !existsSync(path);
    if (!comesWithQemu) granted[name] = await files.file(path, 'read');
  }
  const modules = options.initrd === undefined ? [] : await allowedModules(options.initrd, files);
  const { share, share_writable: writable } = options;
  if (share !== undefined) granted.share = await files.sharedFolder(share, writable ? 'write' : 'read');
  for (const name of ['work_dir', 'snapshot_dir'] as const) {
    const path = options[name];
    if (path !== undefined) granted[name] = await files.madeFolder(path);
  }
  const paths = Object.fromEntries(Object.entries(granted).map(([name, { path }]) => [name, path]));
  const initrd = modules.length > 0 ? { initrd: modules.map(({ file, args }) => file.path + args) } : {};
  return { options: { ...options, ...paths, ...initrd }, modules, granted };
}

/** The same options with the names that QEMU is to open. */
export async function grantedOptions(
  options: QemuOptions,
  { share, ...granted }: GrantedPaths,
  paths: Pick<RuntimePaths, 'plainLink'>,
): Promise<QemuOptions> {
  const names: Partial<Record<(typeof bootFiles)[number] | 'share', string>> = {};
  for (const name of bootFiles) {
    const file = granted[name];
    if (file) names[name] = await paths.plainLink(file);
  }
  if (share) names.share = share.grantedPath;
  return { ...options, ...names };
}

/** One file as it is, or modules of a multiboot kernel: `FILE ARGUMENTS`, as a list or with commas between them. */
async function allowedModules(given: string | readonly string[], files: OpenedFiles): Promise<BootModule[]> {
  if (typeof given === 'string') {
    const whole = await opened(given, files);
    if (!(whole instanceof MachineError)) return [{ file: whole, args: '' }];
    if (!/[ ,]/.test(given)) throw whole;
  }
  // A comma that belongs to a name or an argument is written twice.
  const texts =
    typeof given === 'string' ? given.split(/(?<!,),(?!,)/).map((text) => text.replaceAll(',,', ',')) : given;
  const modules: BootModule[] = [];
  for (const text of texts) modules.push(await allowedModule(text.trim(), files));
  return modules;
}

/** Names may have blanks: the shortest beginning that is a file is the name. */
async function allowedModule(text: string, files: OpenedFiles): Promise<BootModule> {
  let first: unknown;
  const blanks = [...text.matchAll(/ /g)].map(({ index }) => index);
  for (const end of [...blanks, text.length]) {
    const file = await opened(text.slice(0, end), files);
    if (!(file instanceof MachineError)) return { file, args: text.slice(end) };
    first ??= file;
  }
  throw first;
}

/** The file, or why it is none. */
async function opened(path: string, files: OpenedFiles): Promise<OpenedPath | MachineError> {
  try {
    return await files.file(path, 'read');
  } catch (error) {
    if (error instanceof MachineError) return error;
    throw error;
  }
}

/** The value of `-initrd`. To a multiboot kernel a comma ends a module and a blank the name of its file. */
export async function initrdArgument(
  modules: readonly BootModule[],
  paths: Pick<RuntimePaths, 'plainLink'>,
): Promise<string | undefined> {
  const words: string[] = [];
  for (const { file, args } of modules) words.push((await paths.plainLink(file)) + args.replaceAll(',', ',,'));
  return words.length > 0 ? words.join(',') : undefined;
}
