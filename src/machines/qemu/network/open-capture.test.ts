import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PcapFile } from '../../../formats/pcap/pcap-file.ts';
import { openCapture } from './open-capture.ts';

test('a capture that somebody has taken away is named', async () => {
  const gone = new PcapFile((flags) => openCapture(join(import.meta.dirname, 'gone'), flags));
  await expect(gone.packets(0, 1)).rejects.toMatchObject({ type: 'NOT_FOUND', fix: 'Start another capture.' });
});
