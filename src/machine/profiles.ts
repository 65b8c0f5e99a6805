/** Profiles of machines that the user keeps, each a file of JSON. */
export interface ProfileShelf {
  list(): Promise<readonly SavedProfile[]>;
  save(name: string, profile: Readonly<Record<string, unknown>>): Promise<void>;
  /** False where there was none. */
  delete(name: string): Promise<boolean>;
}

/** A file that cannot be read as a profile is told of, with the reason. */
export type SavedProfile =
  | { readonly name: string; readonly profile: Readonly<Record<string, unknown>> }
  | { readonly name: string; readonly problem: string };
