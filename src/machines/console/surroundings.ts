import { type ListedPort, listPorts } from '../../links/serial/list-ports.ts';
import type { Policy } from '../../machine/policy.ts';
import { parametersOf } from './command-presets.ts';

/** Serial ports with their USB numbers, and the presets that the user allows. */
export async function describeSurroundings({ consoleCommands }: Policy): Promise<string[]> {
  const ports = await listPorts();
  const presets = Object.entries(consoleCommands).map(([name, preset]) => {
    const parameters = parametersOf(preset).map((key) => `"${key}":…`);
    return `  preset ${name}: {"preset":"${name}","parameters":{${parameters.join(',')}}}`;
  });
  return [
    ports.length > 0 ? 'Serial ports of this computer:' : 'This computer has no serial ports.',
    ...ports.map((port) => `  ${describePort(port)}`),
    ...(presets.length > 0 ? ['Commands that the user allows:', ...presets] : []),
  ];
}

export function describePort({ path, stableName, usb }: ListedPort): string {
  const names = [usb?.manufacturer, usb?.product, usb?.serialNumber && `serial ${usb.serialNumber}`];
  const ids = usb ? [`USB ${usb.vendorId}:${usb.productId}`] : [];
  return [path, ...ids, ...names, stableName].filter((part) => part !== undefined && part !== '').join(', ');
}
