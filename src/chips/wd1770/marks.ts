/** A byte on the disk that is a mark: its clock is not that of data. */
export const mark = 0x100;
export const syncMark = mark | 0xa1;
export const headerMark = 0xfe;
export const dataMark = 0xfb;
export const deletedMark = 0xf8;
