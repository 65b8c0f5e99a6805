import { pauses } from '../../../formats/elf/pause.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type {
  LinuxCapability,
  LinuxModule,
  LinuxMount,
  LinuxOops,
  LinuxOverview,
  LinuxTask,
  LinuxTaskDetail,
  LogRecord,
} from '../../../machine/linux.ts';
import type { Bulk } from '../debug/bulk-memory.ts';
import type { Rest } from '../debug/rest.ts';
import type { Target } from '../debug/target.ts';
import type { QemuSymbols } from '../symbols/qemu-symbols.ts';
import { type KernelImage, kernelImages, kernelTables } from './kernel-image.ts';
import { KernelMemory } from './kernel-memory.ts';
import { LinuxKernel } from './linux-kernel.ts';
import { KernelPlaces, movedBy } from './places.ts';
import { readLog } from './read-log.ts';
import { readModules, symbolsOf } from './read-modules.ts';
import { readMounts } from './read-mounts.ts';
import { readOopses } from './read-oops.ts';
import { readTasks } from './read-tasks.ts';
import { Shapes } from './shapes.ts';
import { Structures } from './structures.ts';
import { taskCalls } from './task-stack.ts';

/** Where x86-64 kernels are linked to, unless configured otherwise. */
const x86Link = 0xffffffff81000000n;
const wanted = ['init_task', 'prb', 'modules'] as const;

interface Look {
  readonly kernel: LinuxKernel;
  readonly memory: KernelMemory;
}

/** A Linux guest, from the memory of its kernel alone: the guest neither helps nor knows. */
export class QemuLinux implements LinuxCapability {
  readonly #execution: Rest;
  readonly #target: Target;
  readonly #bulk: Bulk;
  readonly #symbols: QemuSymbols;
  #kernel: LinuxKernel | undefined;

  constructor(execution: Rest, target: Target, bulk: Bulk, symbols: QemuSymbols) {
    this.#execution = execution;
    this.#target = target;
    this.#bulk = bulk;
    this.#symbols = symbols;
  }

  overview(): Promise<LinuxOverview> {
    return this.#look(async ({ kernel }) => {
      const text = kernel.address('_stext');
      const missing = wanted.filter((name) => kernel.address(name) === undefined);
      return {
        banner: kernel.banner,
        text,
        moved: movedBy(kernel, this.#symbols, this.#target.isX86 ? x86Link : undefined),
        symbols: kernel.places.length,
        types: kernel.typesFrom,
        notes: [
          ...(kernel.places.length === 0 ? ['it carries no list of symbols (CONFIG_KALLSYMS)'] : []),
          ...(kernel.found.size > 0 ? [`found by shape, not by name: ${[...kernel.found.keys()].join(', ')}`] : []),
          ...(missing.length > 0 ? [`not found: ${missing.join(', ')}`] : []),
        ],
      };
    });
  }

  log(): Promise<LogRecord[]> {
    return this.#look((look) => this.#log(look));
  }

  tasks(): Promise<LinuxTask[]> {
    return this.#look(async (look) => readTasks(structuresOf(look), placeOf(look, 'init_task')));
  }

  task(pid: number): Promise<LinuxTaskDetail> {
    return this.#look(async (look) => {
      const s = structuresOf(look);
      const all = await readTasks(s, placeOf(look, 'init_task'));
      const task = all.find((each) => each.pid === pid);
      if (!task) {
        throw new MachineError('INVALID_ARGUMENT', `No process has the number ${pid}.`, [
          advice`List them: ${call('linux_read', { what: 'tasks' })}.`,
        ]);
      }
      if (task.cpu !== undefined) return { ...task, calls: [], isGuess: false };
      return { ...task, ...(await taskCalls(s, await KernelPlaces.read(look.kernel, this.#symbols, s), task.address)) };
    });
  }

  modules(): Promise<LinuxModule[]> {
    return this.#look(async (look) => readModules(structuresOf(look), placeOf(look, 'modules')));
  }

  mounts(): Promise<LinuxMount[]> {
    return this.#look(async (look) => {
      const s = structuresOf(look);
      const tasks = await readTasks(s, placeOf(look, 'init_task'));
      const first = tasks.find(({ pid }) => pid === 1) ?? tasks[0];
      return first ? readMounts(s, first.address) : [];
    });
  }

  oopses(): Promise<LinuxOops[]> {
    return this.#look(async (look) => {
      const places = await KernelPlaces.read(look.kernel, this.#symbols, structuresOf(look));
      return readOopses(await this.#log(look), places);
    });
  }

  /** The kernel's names and those of its modules, added to the machine's. */
  loadSymbols(): Promise<{ kernel: number; modules: number }> {
    return this.#look(async (look) => {
      const { kernel } = look;
      await this.#symbols.load('linux', kernel.places, pauses());
      const head = kernel.types && kernel.address('modules');
      if (head === undefined) return { kernel: kernel.places.length, modules: 0 };
      const s = structuresOf(look);
      let count = 0;
      for await (const { module, places } of symbolsOf(s, await readModules(s, head))) {
        await this.#symbols.load(`linux ${module.name}`, places, pauses());
        count += places.length;
      }
      return { kernel: kernel.places.length, modules: count };
    });
  }

  async #log(look: Look): Promise<LogRecord[]> {
    const place = placeOf(look, 'prb');
    // The symbol is a pointer; by its shape the ring itself was found.
    const ring = look.kernel.found.has('prb') ? place : await look.memory.number(place, 8);
    return ring === undefined ? [] : readLog(structuresOf(look), ring);
  }

  /** At rest and in physical memory, with the kernel that runs now. */
  #look<T>(action: (look: Look) => Promise<T>): Promise<T> {
    return this.#execution.atRest(async () => {
      await this.#execution.refresh();
      const tables = await kernelTables(this.#target);
      const { gdb } = this.#target;
      await gdb.physicalAddresses(true);
      try {
        const known = this.#kernel;
        for (const { scheme } of known ? tables : []) {
          const memory = new KernelMemory(this.#target, scheme);
          const text = known && (await memory.text(known.bannerAt, known.banner.length));
          if (known && text === known.banner) return await action({ kernel: known, memory });
        }
        return await action(await this.#find(tables));
      } finally {
        await gdb.physicalAddresses(false);
      }
    });
  }

  async #find(tables: Awaited<ReturnType<typeof kernelTables>>): Promise<Look> {
    this.#kernel = undefined;
    for await (const image of kernelImages(this.#target, this.#bulk, tables)) {
      const kernel = await LinuxKernel.read(image, this.#symbols);
      if (kernel) return this.#adopt(kernel, image);
    }
    throw new MachineError(
      'UNAVAILABLE',
      'No Linux kernel is mapped by this processor: it has not started yet, or something else runs.',
      'Let it boot, then try again. 64-bit x86 and ARM kernels are known.',
    );
  }

  async #adopt(kernel: LinuxKernel, image: KernelImage): Promise<Look> {
    const memory = new KernelMemory(this.#target, image.scheme);
    const { types } = kernel;
    const shapes = types && new Shapes(image, types, memory, pauses());
    for (const name of wanted) {
      if (kernel.address(name) !== undefined) continue;
      const place = await shapes?.find(name);
      if (place !== undefined) kernel.found.set(name, place);
    }
    this.#kernel = kernel;
    return { kernel, memory };
  }
}

function structuresOf({ kernel, memory }: Look): Structures {
  const { types } = kernel;
  if (types) return new Structures(memory, types);
  throw new MachineError(
    'UNAVAILABLE',
    'This kernel has no type information (CONFIG_DEBUG_INFO_BTF), so nothing in it can be read by name.',
    [advice`Load its vmlinux with debug information: ${call('symbols_load', { path: 'vmlinux' })}.`],
  );
}

function placeOf({ kernel }: Look, name: (typeof wanted)[number]): bigint {
  const place = kernel.address(name);
  if (place !== undefined) return place;
  throw new MachineError(
    'UNAVAILABLE',
    `${name} was found in this kernel neither by name (CONFIG_KALLSYMS_ALL) nor by shape.`,
    [advice`Load its vmlinux or System.map: ${call('symbols_load', { path: 'vmlinux' })}.`],
  );
}
