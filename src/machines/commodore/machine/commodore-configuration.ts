import type {
  ConfigurationCapability,
  ConfigurationChange,
  ConfigurationReset,
  ConfigurationResource,
  ConfigurationResult,
  ResourceValue,
} from '../../../machine/configuration.ts';
import { MachineError } from '../../../machine/errors.ts';
import { type DriveUnit, driveUnits } from '../drive/drive-state.ts';
import { type DriveModel, driveModels } from '../drive/real-drive.ts';
import type { CommodoreEngine } from './commodore-engine.ts';
import type { CommodoreMedia } from './commodore-media.ts';
import type { Fitted, Fittings } from './fittings.ts';

interface Parts {
  readonly engine: CommodoreEngine;
  readonly fittings: Fittings;
  readonly media: CommodoreMedia;
  /** Other chips are in now, and perhaps another memory: whoever listens, and what was put in, has to follow. */
  refitted(memoryChanged: boolean): void;
}

/** What can be changed while the machine is there, by VICE's names. */
export class CommodoreConfiguration implements ConfigurationCapability {
  readonly #engine: CommodoreEngine;
  readonly #fittings: Fittings;
  readonly #media: CommodoreMedia;
  readonly #refitted: Parts['refitted'];

  constructor({ engine, fittings, media, refitted }: Parts) {
    this.#media = media;
    this.#engine = engine;
    this.#fittings = fittings;
    this.#refitted = refitted;
  }

  get resources(): readonly ConfigurationResource[] {
    const { now, resources } = this.#fittings;
    return [
      ...resources.map(({ read, write: _, ...facts }) => ({ ...facts, value: read(now) })),
      ...driveUnits.map((unit) => this.#drive(unit)),
    ];
  }

  async set(changes: readonly ConfigurationChange[], reset: ConfigurationReset): Promise<ConfigurationResult> {
    const before = this.resources;
    for (const change of changes) check(change, before);
    const fitted = this.#fittedWith(changes);
    const fit = () => {
      this.#fittings.fit(fitted);
      for (const { name, value } of changes) this.#setDrive(name, value);
    };
    await this.#media.whileRefitted(() => this.#engine.refit(fit));
    const changed = this.resources.filter(({ name, value }) => valueIn(before, name) !== value);
    this.#refitted(changed.some(({ category }) => category === 'memory'));
    const isNeeded = reset === 'if-needed' && changed.some(({ wantsReset }) => wantsReset);
    const wasReset = reset === 'always' || isNeeded;
    if (wasReset) await this.#engine.reset('hard');
    return { changed: changed.map(({ name }) => name), wasReset };
  }

  #fittedWith(changes: readonly ConfigurationChange[]): Fitted {
    let fitted = this.#fittings.now;
    for (const { name, value } of changes) {
      fitted = this.#fittings.resources.find((each) => each.name === name)?.write(fitted, value) ?? fitted;
    }
    return fitted;
  }

  #drive(unit: DriveUnit): ConfigurationResource {
    const { drives } = this.#engine.board;
    return {
      name: `Drive${unit}Type`,
      type: 'integer',
      category: 'drives',
      description: `Drive ${unit}, ${levelOf(drives.models)}`,
      value: drives.isConnected(unit) ? Number(drives.modelOf(unit) ?? drives.wantedOf(unit) ?? 1541) : 0,
      possible: [{ value: 0, name: 'None' }, ...driveModels.map((model) => ({ value: Number(model), name: model }))],
      wantsReset: false,
    };
  }

  #setDrive(name: string, value: ResourceValue): void {
    const { drives } = this.#engine.board;
    const unit = driveUnits.find((each) => name === `Drive${each}Type`);
    if (unit === undefined || value === this.#drive(unit).value) return;
    if (drives.isConnected(unit)) drives.disconnect(unit);
    if (value === 0) return;
    const model = driveModels.find((each) => Number(each) === value);
    if (model) drives.want(unit, model);
    drives.connect(unit);
  }
}

/** Without its ROM a drive is any model at the level of the protocol, whatever disk is in it. */
function levelOf(models: readonly DriveModel[]): string {
  if (models.length === 0) return 'at the level of the protocol: there is no ROM of a drive';
  if (models.length === driveModels.length) return 'with a processor of its own';
  return `with a processor of its own as ${models.join(' or ')}; others at the level of the protocol, without their ROMs`;
}

function check({ name, value }: ConfigurationChange, resources: readonly ConfigurationResource[]): void {
  const resource = resources.find((each) => each.name === name);
  if (!resource) {
    const shown = name.slice(0, 60);
    const fix = `Resources: ${resources.map((each) => each.name).join(', ')}.`;
    throw new MachineError('INVALID_ARGUMENT', `There is no resource ${JSON.stringify(shown)}.`, fix, {
      resource: shown,
    });
  }
  if (resource.possible.some((each) => each.value === value)) return;
  const values = resource.possible.map((each) => `${each.value} (${each.name})`).join(', ');
  const message = `${name} cannot be ${JSON.stringify(value)}; nothing was set.`;
  throw new MachineError('INVALID_ARGUMENT', message, `Values: ${values}.`, {
    resource: name,
    possible_values: resource.possible,
  });
}

function valueIn(resources: readonly ConfigurationResource[], name: string): ResourceValue | undefined {
  return resources.find((each) => each.name === name)?.value;
}
