import type { Server } from 'node:net';
import { dirname } from 'node:path';
import type { ReportedEvent } from '../../machine/events.ts';
import type { ConsoleLogSettings } from '../../machine/host.ts';
import { ConsoleLog } from './console-log.ts';
import { lockLog } from './log-lock.ts';

const retryMs = 60_000;

export interface KeptLogOptions {
  readonly settings: ConsoleLogSettings;
  /** The directory of this server, beside those of others of the same user. */
  readonly runtimeDir: string;
  report(event: ReportedEvent): void;
  readonly retryMs?: number;
}

/** A log that belongs to this server alone. If it cannot be had, the console goes on without and it is tried again. */
export class KeptLog {
  readonly #options: KeptLogOptions;
  #log: ConsoleLog | undefined;
  #lock: Server | undefined;
  #timer: NodeJS.Timeout | undefined;
  #complaint: string | undefined;
  #closed = false;

  static async open(options: KeptLogOptions): Promise<KeptLog> {
    const log = new KeptLog(options);
    await log.#open();
    return log;
  }

  private constructor(options: KeptLogOptions) {
    this.#options = options;
  }

  output(bytes: Uint8Array): void {
    this.#log?.output(bytes);
  }

  mark(text: string): void {
    this.#log?.mark(text);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#log?.mark('Log closed');
    await this.#log?.close();
    this.#lock?.close();
  }

  async #open(): Promise<void> {
    const { settings, runtimeDir, report } = this.#options;
    const path = settings.file;
    try {
      this.#lock ??= await lockLog(path, dirname(runtimeDir));
      const log = await ConsoleLog.open(settings, report);
      if (this.#closed) return await log.close();
      log.mark(`Log opened by frontpanel, process ${process.pid}`);
      this.#log = log;
      if (this.#complaint !== undefined)
        report({ type: 'log_resumed', text: `${path} can be written again`, data: { path } });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== this.#complaint) {
        report({ type: 'log_failed', text: `Cannot write the log ${path}: ${reason}; retrying`, data: { path } });
      }
      this.#complaint = reason;
      if (this.#closed) return;
      this.#timer = setTimeout(() => void this.#open(), this.#options.retryMs ?? retryMs).unref();
    }
  }
}
