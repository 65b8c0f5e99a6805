import { perform } from '../requests.ts';
import { mayAct, watchedHandle } from '../store.ts';
import { useReads } from './moment.ts';
import { fieldOf, plain, textOf } from './outcome.ts';

const shownPackets = 200;

/** What goes over the machine's network, once it is captured. */
export function NetworkPane() {
  const [read] = useReads('network', [{ tool: 'network_capture_read', arguments: { limit: shownPackets } }]);
  const packets = fieldOf(read, 'packets');
  const machine = watchedHandle.value;
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
