import { at as attribute } from '../../../formats/dwarf/dwarf-constants.ts';
import type { textOf } from '../../../formats/dwarf/dwarf-types.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { FrameQuery, SourceCapability, SourceFrame, SourcePlace, SourceValue } from '../../../machine/source.ts';
import type { QemuSymbols } from '../symbols/qemu-symbols.ts';
import { evaluateTyped } from './evaluator.ts';
import { inFrame, type Stopped } from './in-frame.ts';
import type { SourceScope } from './source-scope.ts';
import { parseTyped } from './typed-expression.ts';
import { numberOf, type TypedValue } from './typed-value.ts';
import { ValueWriter } from './value-text.ts';

const maxVariables = 200;
const countedFrames = 64;
const reach = 256n;

/** What the debug information of loaded files says about a stopped machine. */
export class QemuSource implements SourceCapability {
  readonly #stopped: Stopped;
  readonly #symbols: QemuSymbols;

  constructor(stopped: Stopped) {
    this.#stopped = stopped;
    this.#symbols = stopped.symbols;
  }

  evaluate(expression: string, query: FrameQuery): Promise<SourceValue> {
    return inFrame(this.#stopped, query.frame, async (scope) => {
      const parsed = parseTyped(expression, (name) => scope.type(name) !== undefined);
      return this.#shown(await evaluateTyped(parsed, scope), scope, query.depth);
    });
  }

  variables(query: FrameQuery): Promise<SourceFrame> {
    return inFrame(
      this.#stopped,
      query.frame,
      async (scope, frames) => {
        if (!scope.function) throw noInformation(scope.pc);
        const variables = [];
        for (const { name, isArgument } of scope.variables.slice(0, maxVariables)) {
          const value = await scope.variable(name).catch((error: unknown) => lost(error));
          const shown =
            typeof value === 'string' ? gone(value) : value && (await this.#shown(value, scope, query.depth));
          if (shown) variables.push({ name, isArgument, ...shown });
        }
        return { pc: scope.pc, function: this.#symbols.nameOf(scope.pc)?.replace(/\+\d+$/, ''), frames, variables };
      },
      countedFrames,
    );
  }

  async place(address: bigint): Promise<SourcePlace | undefined> {
    const [, file = '', line = ''] = /^(.+):(\d+)$/.exec(this.#symbols.lineOf(address) ?? '') ?? [];
    if (file === '') return undefined;
    const program = this.#symbols.dwarfAt(address);
    const unit = program?.index.functionAt(address - program.offset)?.unit;
    const folder = unit && textOfUnit(unit.firstEntry, attribute.compDir);
    const main = unit && textOfUnit(unit.firstEntry, attribute.name);
    const whole = (path: string) => (path.startsWith('/') || !folder ? path : `${folder}/${path}`);
    const last = file.replace(/^.*\//, '');
    const paths = [
      ...(main?.endsWith(`/${last}`) || main === last ? [whole(main)] : []),
      whole(file),
      ...(main ? [whole(main).replace(/[^/]+$/, last)] : []),
      ...(folder ? [`${folder}/${last}`] : []),
    ];
    return { paths: [...new Set(paths)], line: Number(line) };
  }

  async #shown(value: TypedValue, scope: SourceScope, depth: number): Promise<SourceValue> {
    const names = { nameOf: (address: bigint) => this.#symbols.nameOf(address, reach) };
    const text = await new ValueWriter(scope, names).text(value, depth);
    const isNumber = ['base', 'pointer', 'enumeration'].includes(value.type.kind);
    const number = isNumber ? await numberOf(value, scope).catch(() => undefined) : undefined;
    return { text, type: value.type.name, address: value.address, number };
  }
}

function textOfUnit(attributes: Parameters<typeof textOf>[0]['attributes'], name: number): string {
  const value = attributes.get(name);
  return value?.type === 'text' ? value.value : '';
}

/** Why a variable has no value now. */
function lost(error: unknown): string {
  if (error instanceof MachineError) return error.message;
  throw error;
}

function gone(why: string): SourceValue {
  return { text: `(${why.replace(/\.$/, '')})`, type: '', address: undefined, number: undefined };
}

export function noInformation(pc: bigint): MachineError {
  return new MachineError(
    'NOT_FOUND',
    `No debug information covers 0x${pc.toString(16)}.`,
    advice`Load the program file that was built with -g, with ${call('symbols_load')}.`,
  );
}
