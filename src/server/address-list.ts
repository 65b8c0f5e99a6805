import { BlockList, isIP } from 'node:net';
import { plainAddress } from './host-names.ts';

/** Client addresses that may connect, as single addresses and ranges (`192.168.1.0/24`, `fe80::/10`). */
export class AddressList {
  readonly #list = new BlockList();

  constructor(entries: readonly string[]) {
    for (const entry of entries) this.#add(entry);
  }

  allows(address: string | undefined): boolean {
    if (address === undefined) return false;
    const plain = plainAddress(address);
    return this.#list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
  }

  #add(entry: string): void {
    const [address = '', prefix] = entry.trim().split('/');
    const version = isIP(address);
    const bits = prefix === undefined ? undefined : Number(prefix);
    const most = version === 6 ? 128 : 32;
    if (version === 0 || (bits !== undefined && !(Number.isInteger(bits) && bits >= 0 && bits <= most))) {
      throw new Error(
        `--allowed-clients: ${JSON.stringify(entry)} is neither an address nor a range like 192.168.1.0/24`,
      );
    }
    const family = version === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) this.#list.addAddress(address, family);
    else this.#list.addSubnet(address, bits, family);
  }
}
