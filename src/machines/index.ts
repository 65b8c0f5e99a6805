import type { Kind } from '../machine/kind.ts';
import { consoleKind } from './console/console-kind.ts';

/** Every kind of machine there is. */
export const kinds: readonly Kind[] = [consoleKind];
