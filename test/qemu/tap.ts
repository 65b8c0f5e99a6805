import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

let taps = 0;

/** An interface of this computer that a guest can be plugged into; both ends have addresses that nobody else uses. */
export class Tap implements Disposable {
  readonly name: string;
  /** This computer on the interface, and the guest. */
  readonly host: string;
  readonly guest: string;
  readonly mac: string;

  /** Undefined where taps can be made. */
  static whyNot(): string | undefined {
    if (process.platform !== 'linux') return `${process.platform} has none`;
    if (process.getuid?.() !== 0) return 'this needs root';
    const probe = `fpt${process.pid}`;
    const { status, stderr, error } = spawnSync('ip', ['tuntap', 'add', 'dev', probe, 'mode', 'tap'], {
      encoding: 'utf8',
    });
    if (error) return error.message;
    if (status !== 0) return stderr.trim();
    execFileSync('ip', ['link', 'delete', probe]);
    return undefined;
  }

  constructor() {
    const number = taps++;
    this.name = `fp${process.pid}-${number}`;
    // RFC 5737 keeps this net for examples.
    const net = `198.51.100.${(process.pid % 32) * 8 + number * 4}`;
    this.host = net.replace(/\d+$/, (last) => String(Number(last) + 1));
    this.guest = net.replace(/\d+$/, (last) => String(Number(last) + 2));
    execFileSync('ip', ['tuntap', 'add', 'dev', this.name, 'mode', 'tap']);
    execFileSync('ip', ['address', 'add', `${this.host}/30`, 'dev', this.name]);
    execFileSync('ip', ['link', 'set', this.name, 'up']);
    this.mac = readFileSync(`/sys/class/net/${this.name}/address`, 'latin1').trim();
  }

  [Symbol.dispose](): void {
    // It may be gone already.
    spawnSync('ip', ['link', 'delete', this.name]);
  }
}
