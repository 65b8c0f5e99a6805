/** Profiles of machines that the user keeps, each a file of JSON. */
export interface ProfileShelf {
  list(): Promise<readonly SavedProfile[]>;
  save(name: string, profile: Readonly<Record<string, unknown>>): Promise<void>;
  /** False where there was none. */
  delete(name: string): Promise<boolean>;
}

export interface SavedProfile {
  readonly name: string;
  readonly profile: Readonly<Record<string, unknown>>;
}
