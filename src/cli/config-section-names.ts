/** Parts of the configuration file that hold more than a value, each with a row in `config-sections.ts`. */
export const sectionNames = ['tokens', 'consoles', 'console-commands'] as const;

export type SectionName = (typeof sectionNames)[number];

/** Sections as the file has them, not yet looked at: most commands do without what checks them. */
export interface RawSections {
  /** The file, for messages, and the place where relative paths start. */
  readonly path: string;
  readonly values: ReadonlyMap<SectionName, unknown>;
  /** What the file says and may not, as it was found and not named. */
  readonly leftOut?: readonly string[];
}

export function isSection(key: string): key is SectionName {
  return sectionNames.some((name) => name === key);
}
