/** The first token; the others follow in the order of the ROM's own table. */
export const firstToken = 0x80;

/** BASIC V2's words in token order. The order also decides which of two matching words wins, as in the ROM. */
export const keywords: readonly string[] = (
  'END FOR NEXT DATA INPUT# INPUT DIM READ LET GOTO RUN IF RESTORE GOSUB RETURN REM STOP ON WAIT LOAD SAVE VERIFY DEF POKE ' +
  'PRINT# PRINT CONT LIST CLR CMD SYS OPEN CLOSE GET NEW TAB( TO FN SPC( THEN NOT STEP + - * / ^ AND OR > = < SGN INT ABS ' +
  'USR FRE POS SQR RND LOG EXP COS SIN TAN ATN PEEK LEN STR$ VAL ASC CHR$ LEFT$ RIGHT$ MID$ GO'
).split(' ');

const tokenOf = (word: string) => firstToken + keywords.indexOf(word);

export const dataToken = tokenOf('DATA');
export const remToken = tokenOf('REM');
export const printToken = tokenOf('PRINT');
export const piToken = 0xff;
