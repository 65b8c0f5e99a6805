/** `frontpanel/gym`: environments for training and testing agents on whole machines. See docs/scale.md. */

/** What is held down during a step; nothing but this. */
export interface Hold {
  joystick?: ('up' | 'down' | 'left' | 'right' | 'fire')[] | undefined;
  /** Of the joystick: 2 unless told. */
  port?: number | undefined;
  keys?: string[] | undefined;
}

export interface PixelOptions {
  width?: number | undefined;
  height?: number | undefined;
  /** One byte a pixel, unless told; without it red, green and blue. */
  grey?: boolean | undefined;
  /** The brighter of the last two frames, for pictures that flicker. */
  max?: boolean | undefined;
  /** The part inside the border, where the machine has one. */
  window?: boolean | undefined;
}

export interface MemoryRange {
  address: number;
  length: number;
  space?: string | undefined;
}

/** An environment many times over. */
export interface VectorOptions {
  kind: string;
  /** As `machine_start` takes them. */
  options?: Record<string, unknown> | undefined;
  /** Where each episode begins. */
  from?:
    | {
        /** A file that `snapshot_save` has written. */
        snapshot?: string | undefined;
        /** A program to load and run. */
        program?: string | undefined;
        /** Assembler or BASIC text instead of a file. */
        source?: string | undefined;
        format?: string | undefined;
        /** Let so many frames pass before. */
        frames?: number | undefined;
      }
    | undefined;
  count?: number | undefined;
  /** 0, unless told: in this thread. */
  threads?: number | undefined;
  /** A step takes so many: 4 unless told. */
  frames?: number | undefined;
  /** What can be chosen from, or that for each of several players; all positions of a stick unless told. */
  action?: Hold[] | Hold[][] | undefined;
  observe?:
    | {
        pixels?: PixelOptions | undefined;
        memory?: MemoryRange[] | undefined;
        /** The characters on screen, as Unicode. */
        text?: { columns: number; rows: number } | undefined;
      }
    | undefined;
  /** Its change in a step is the reward, for all players or one each. */
  reward?: string | string[] | undefined;
  /** The episode has ended when this is not 0. */
  end?: string | undefined;
  /** And is cut off after so many steps; 0: never. */
  limit?: number | undefined;
  seed?: number | undefined;
  /** How often the last action is carried out once more instead of the one given. */
  sticky?: number | undefined;
  /** Each episode begins with up to so many frames in which nothing is held. */
  idle?: number | undefined;
  /** As Gymnasium names them. */
  autoreset?: 'next_step' | 'same_step' | 'disabled' | undefined;
  /** Folders from which files may be read. */
  read?: string[] | undefined;
}

/** How the answers of one environment lie in memory. */
export interface ObservationPart {
  readonly name: string;
  readonly shape: readonly number[];
  readonly type: 'uint8' | 'uint32';
  /** Of this part in the observation of one environment. */
  readonly offset: number;
  readonly bytes: number;
}

/** What a step of all environments led to. The arrays are the same each time, with new contents. */
export interface VectorStep {
  /** All parts of all environments; `parts` of the vector says what lies where. */
  readonly observations: Uint8Array;
  /** For each environment and player. */
  readonly rewards: Float32Array;
  /** For each environment: 1 terminated, 2 truncated, 4 lost with its thread. */
  readonly flags: Uint8Array;
  /** Where the next episode has begun in the same step: the last observation of the one before. */
  readonly finals: Uint8Array;
  /** Why environments were lost, if any were. */
  readonly trouble: ReadonlyMap<number, string>;
}

/** Many environments that are stepped together. */
export interface Vector {
  /** The options, with everything filled in that was not given. */
  readonly spec: VectorOptions;
  /** How the observation of one environment is laid out. */
  readonly parts: readonly ObservationPart[];
  readonly observationBytes: number;
  /**
   * All, or those with a number in `which`; with a seed, chances begin anew. With a list of seeds, one for each of them,
   * each lives as the only environment of a vector with its seed does.
   */
  reset(seed?: number | readonly (number | undefined)[], which?: readonly number[]): Promise<VectorStep>;
  /** A number for each environment and player. */
  step(actions: ArrayLike<number>): Promise<VectorStep>;
  /** Steps those, one number for each player of each, without waiting. */
  send(indexes: readonly number[], actions: ArrayLike<number>): void;
  /** Waits until so many of those that were sent are ready, and gives their numbers. */
  receive(count: number): Promise<readonly number[]>;
  /** What was last heard of all environments. */
  readonly last: VectorStep;
  /** All there is to an environment, also for another vector, process or computer. */
  save(index: number): Promise<Uint8Array>;
  restore(index: number, saved: Uint8Array): Promise<void>;
  /** Environment `to` becomes what `from` is. */
  fork(from: number, to: number): Promise<void>;
  close(): Promise<void>;
}

/** All that a stick can say: eight directions and the middle, without and with fire. */
export declare const allStickPositions: readonly Hold[];

/** Opens environments: throws what is wrong with the options, the program or the expressions. */
export declare function openVector(options: VectorOptions): Promise<Vector>;
