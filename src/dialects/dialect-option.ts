/** An option of the command line that one dialect has, as `--NAME`. */
export type DialectOption = {
  /** Ends with a full stop. */
  readonly summary: string;
} & (
  | { readonly type: 'flag' }
  | { readonly type: 'string'; readonly format?: 'file'; readonly placeholder: string; readonly defaultText: string }
);

export type DialectOptions = Readonly<Record<string, DialectOption>>;

/** What was given for them, by their names; a flag that was not given is false. */
export type DialectValues = Readonly<Record<string, string | boolean | undefined>>;
