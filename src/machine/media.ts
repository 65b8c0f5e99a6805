/** Disks, cartridges and whatever else can be put into a machine. */
export interface MediaCapability {
  readonly slots: readonly MediaSlot[];
  /** The slot that a medium belongs in when none is named; undefined when it fits none, or none better than the first. */
  slotFor?(medium: MediumFile): string | undefined;
  /** Says what was found on it. The bytes are a copy: the file they came from never changes. */
  attach(slot: string, medium: Medium): Promise<string>;
  /** For machines that open files themselves, because an image may be larger than memory. */
  attachFile?(slot: string, path: string, readOnly: boolean): Promise<string>;
  /** Refuses an image that `attach` would refuse as a cartridge, and changes nothing. */
  checkCartridge?(file: Omit<Medium, 'readOnly'>): void;
  detach(slot: string): Promise<void>;
  /** Resets what reads the medium of a slot, a drive for example. */
  reset?(slot: string): Promise<void>;
  /** The medium as it is now, with everything that was written to it. */
  bytes(slot: string): Promise<Uint8Array>;
}

export interface MediumFile {
  readonly name: string;
  readonly size: number;
  /** Where the machine does not open files itself. */
  readonly bytes?: Uint8Array;
}

export interface Medium {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly readOnly: boolean;
}

export interface MediaSlot {
  readonly name: string;
  readonly description: string;
  /** What is in it. */
  readonly medium?: string;
  /** Whether something was written to it since it was put in. */
  readonly changed: boolean;
}
