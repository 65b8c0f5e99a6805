/** What can be changed of a machine that is there already: chips in their sockets, drives, memory. */
export interface ConfigurationCapability {
  readonly resources: readonly ConfigurationResource[];
  /**
   * Sets all of these, or none: rejects with the first that cannot be, and why. `reset` says whether the machine is then
   * switched off and on.
   */
  set(changes: readonly ConfigurationChange[], reset: ConfigurationReset): Promise<ConfigurationResult>;
}

/** `if-needed`: if one of the resources that have changed wants it. */
export type ConfigurationReset = 'never' | 'if-needed' | 'always';

export type ResourceValue = number | string;

/** One thing that can be set, by the name that VICE has for it. */
export interface ConfigurationResource {
  readonly name: string;
  readonly type: 'integer' | 'string';
  readonly category: ResourceCategory;
  readonly description: string;
  readonly value: ResourceValue;
  /** All that it can be. */
  readonly possible: readonly { readonly value: ResourceValue; readonly name: string }[];
  /** Programs may only take note of it after a reset. */
  readonly wantsReset: boolean;
}

export type ResourceCategory = 'video' | 'sid' | 'memory' | 'drives' | 'machine';

export interface ConfigurationChange {
  readonly name: string;
  readonly value: ResourceValue;
}

export interface ConfigurationResult {
  /** Those whose value is another one now. */
  readonly changed: readonly string[];
  readonly wasReset: boolean;
}
