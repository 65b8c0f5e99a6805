import type { FileSymbol } from './symbol-file.ts';

/** VICE's label commands: `al C:c000 .name`; 64tass has colons between scopes. */
export function readViceLabels(text: string): FileSymbol[] {
  const form = /^[\t ]*(?:al|add_label)[\t ]+(?:\w+:)?\$?([\da-f]+)[\t ]+\.?(\S+)/gim;
  return [...text.matchAll(form)].map(([, address = '', name = '']) => ({
    name: name.replaceAll(':', '.'),
    address: Number.parseInt(address, 16),
  }));
}

/** Lists of assignments as ACME and 64tass write them: `name = $c000 ; unused`. */
export function readAcmeLabels(text: string): FileSymbol[] {
  const form = /^[\t ]*([.@\w]+)[\t ]*=[\t ]*(?:(?:\$|0x)([\da-f]+)|(\d+))/gim;
  return [...text.matchAll(form)].map(([, name = '', hex, decimal]) => ({
    name,
    address: hex === undefined ? Number(decimal) : Number.parseInt(hex, 16),
  }));
}

/** KickAssembler's .sym: `.label name=$c000`, in namespaces. */
export function readKickLabels(text: string): FileSymbol[] {
  const symbols: FileSymbol[] = [];
  const scopes: string[] = [];
  const form = /\.namespace\s+(\w+)\s*\{|(\})|\.label\s+(\w+)\s*=\s*\$?([\da-f]+)(\s*\{)?/gi;
  for (const [, namespace, close, label, hex, open] of text.matchAll(form)) {
    if (close) scopes.pop();
    if (namespace) scopes.push(namespace);
    if (label && hex) {
      symbols.push({ name: [...scopes, label].join('.'), address: Number.parseInt(hex, 16) });
      if (open) scopes.push(label);
    }
  }
  return symbols;
}

/** 64tass --dump-labels: `game.asm:4:1: start = $c000`; what is no number there is no address. */
export function readTassDump(text: string): FileSymbol[] {
  const form = /^(.+?):(\d+):\d+: ([\w.]+) = (?:\$([\da-f]+)|(\d+))\s*$/gim;
  return [...text.matchAll(form)].map(([, file = '', line = '', name = '', hex, decimal]) => ({
    name,
    address: hex === undefined ? Number(decimal) : Number.parseInt(hex, 16),
    file,
    line: Number(line),
  }));
}

/** xa -l: `start, 0xc000, 0, 0x0000`, the third being the block that a name is local to. */
export function readXaLabels(text: string): FileSymbol[] {
  const form = /^([\w.@]+), 0x([\da-f]+), (\d+), 0x[\da-f]+\s*$/gim;
  return [...text.matchAll(form)].map(([, name = '', hex = '', block = '']) => ({
    name: block === '0' ? name : `${name}@${block}`,
    address: Number.parseInt(hex, 16),
  }));
}
