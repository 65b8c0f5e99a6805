/** The lines of the serial bus as bits: 1 is high, which is what nobody pulls. */
export const attentionLine = 1;
export const clockLine = 2;
export const dataLine = 4;
export const allLines = attentionLine | clockLine | dataLine;
