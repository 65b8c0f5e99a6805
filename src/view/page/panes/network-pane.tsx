import { useEffect, useState } from 'preact/hooks';
import type { PageOutcome } from '../../channel.ts';
import { look, perform } from '../requests.ts';
import { isOpen, mayAct, watchedHandle } from '../store.ts';
import { fieldOf, plain, textOf } from './outcome.ts';

const shownPackets = 200;
const againMs = 1000;

/** What goes over the machine's network, once it is captured. */
export function NetworkPane() {
  const machine = watchedHandle.value;
  const read = usePackets(machine);
  const packets = fieldOf(read, 'packets');
  return (
    <>
      <div class="line">
        <button
          type="button"
          disabled={!mayAct.value}
          onClick={() => void perform('network_capture_start', { machine })}
        >
          Start capture
        </button>
        <button
          type="button"
          disabled={!mayAct.value}
          onClick={() => void perform('network_capture_stop', { machine })}
        >
          Stop
        </button>
      </div>
      {Array.isArray(packets) ? (
        <ol class="plain mono">
          {packets.map((packet, index) => (
            <li key={index}>{plain(packet)}</li>
          ))}
        </ol>
      ) : (
        <p class="quiet">{textOf(read) || '…'}</p>
      )}
    </>
  );
}

/** The newest packets, again and again: reading them does not hold the machine, and they come while it runs. */
function usePackets(machine: string | undefined): PageOutcome | undefined {
  const [read, setRead] = useState<PageOutcome>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    let cursor = 0;
    const again = async () => {
      const reads = [{ tool: 'network_capture_read', arguments: { limit: shownPackets, cursor } }];
      const seen = machine !== undefined && isOpen.peek() ? await look(machine, reads) : undefined;
      if (isGone) return;
      const [outcome] = seen?.outcomes ?? [];
      if (outcome) setRead(outcome);
      const from = Math.max(0, (Number(fieldOf(outcome, 'total')) || 0) - shownPackets);
      timer = setTimeout(() => void again(), from > cursor ? 0 : againMs);
      cursor = from;
    };
    setRead(undefined);
    void again();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [machine]);
  return read;
}
