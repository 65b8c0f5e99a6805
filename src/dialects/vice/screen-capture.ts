import { z } from 'zod';
import type { DialectAnswer } from '../dialect.ts';
import type { ViceCall } from './vice-call.ts';

export const captureInput = z.strictObject({
  format: z.enum(['png', 'base64']).default('png').describe('png: as an image; base64: as text in the field "data"'),
  borders: z.boolean().default(true),
});

/** The picture with every pixel once. */
export async function captureScreen(
  { format, borders }: z.output<typeof captureInput>,
  call: ViceCall,
): Promise<DialectAnswer> {
  const shape = { width: z.number(), height: z.number() };
  const { width, height, images } = await call.use('picture_read', { borders }, shape);
  const facts = { width, height, mime_type: 'image/png' };
  return format === 'png' ? { ...facts, images } : { ...facts, data: images[0]?.base64 };
}
