import { encodePng } from '../../formats/png.ts';
import type { ScreenCapability } from '../../machine/screen.ts';

/** What a screen shows as a PNG in its own size, for programs that show it to people. */
export async function screenPng(screen: ScreenCapability): Promise<Uint8Array> {
  const ready = await screen.png?.();
  return ready?.png ?? encodePng(await screen.picture(), 1);
}
