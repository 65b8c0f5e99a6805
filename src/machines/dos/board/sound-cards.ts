import type { BlasterModel } from '../../../chips/sound-blaster/models.ts';

/** What a PC can have for sound beside its loudspeaker and MIDI. */
export const soundCards = ['sb2', 'sbpro', 'sb16', 'adlib', 'tandy', 'none'] as const;

export type SoundCard = (typeof soundCards)[number];

export const usualCard: SoundCard = 'sb2';

/** The Sound Blaster among them; one that nothing is connected to where there is none. */
export function blasterOf(card: SoundCard = usualCard): BlasterModel {
  return card === 'sbpro' || card === 'sb16' ? card : 'sb2';
}

export const hasBlaster = (card: SoundCard) => card === 'sb2' || card === 'sbpro' || card === 'sb16';
export const hasOpl3 = (card: SoundCard) => card === 'sbpro' || card === 'sb16';

/** What the environment tells programs of it. */
export function blasterVariable(card: SoundCard): readonly string[] {
  const text = { sb2: 'A220 I7 D1 T3', sbpro: 'A220 I7 D1 T4', sb16: 'A220 I7 D1 H5 P330 T6' }[card as BlasterModel];
  return text === undefined ? [] : [`BLASTER=${text}`];
}
