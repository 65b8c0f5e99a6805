/** Network cards whose traffic can be captured. */
export interface NetworkCapability {
  readonly interfaces: readonly string[];
  /** Writes a pcap file; several captures can run at once. Without a path the file is the machine's own. */
  startCapture(request: CaptureRequest): Promise<Capture>;
  stopCapture(id: string): Promise<Capture>;
  readonly captures: readonly Capture[];
  /** Packets from number `from` (0 is the first) on, one line each. */
  packets(id: string, from: number, limit: number): Promise<PacketPage>;
}

export interface CaptureRequest {
  /** The first when left out. */
  readonly interface?: string | undefined;
  readonly path?: string | undefined;
}

export interface Capture {
  readonly id: string;
  readonly interface: string;
  readonly path: string;
  readonly active: boolean;
  readonly bytes: number;
}

export interface PacketPage {
  readonly lines: readonly string[];
  /** Number of the packet after the last one shown. */
  readonly next: number;
  readonly total: number;
}
