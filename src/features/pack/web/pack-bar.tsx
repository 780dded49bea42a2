import { Smartphone } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { lazyPart, usePart } from '../../../platform/web/lazy-page.ts';
import { lastAnswerIsFromDevice, subscribeToOrigin } from '../../../platform/web/offline/from-device.ts';
import { Button } from '../../../platform/web/ui/button.tsx';
import { Notice } from '../../../platform/web/ui/notice.tsx';
import type { Level } from '../../levels/contract.ts';
import type { MelodySummary } from '../../melodies/contract.ts';
import { type PackState, usePack } from './pack-state.ts';

const PackDialog = lazyPart(() => import('./pack-dialog.tsx'));

type PackBarProps = { melodies: readonly MelodySummary[]; levels: readonly Level[] };

/** Above the cards: how many are kept on this device, the way to keep more, and whether there is a connection. */
export function PackBar(props: PackBarProps) {
  const isFromDevice = useSyncExternalStore(subscribeToOrigin, lastAnswerIsFromDevice, () => false);
  const canKeep = usePack(({ actions }) => actions !== null);
  const count = usePack(keptCount);
  const [isOpen, setIsOpen] = useState(false);
  const preload = () => void PackDialog.preload();
  return (
    <>
      {isFromDevice && (
        <Notice tone="amber" title="No connection just now." className="mb-5 max-w-2xl">
          These are the melodies that are kept on this device. The others need a connection, and come back
          with it.
        </Notice>
      )}
      {canKeep && (
        <div className="-mt-2 mb-4 flex flex-wrap items-center justify-between gap-x-5 gap-y-1 text-sm">
          <p className="text-soft">
            {count === 0 ? 'None kept on this device' : `${count} kept on this device`}
          </p>
          <Button
            variant="quiet"
            aria-haspopup="dialog"
            icon={<Smartphone aria-hidden="true" />}
            onPointerEnter={preload}
            onFocus={preload}
            onClick={() => setIsOpen(true)}
          >
            Kept on this device
          </Button>
        </div>
      )}
      {isOpen && <Opened {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

const keptCount = ({ entries }: PackState) => [...entries.values()].filter(({ isKept }) => isKept).length;

/** Its code is the smallest of all; where it does not come, the button is pressed again. */
function Opened(props: PackBarProps & { onClose: () => void }) {
  const { Part, hasFailed, isTrying, tryAgain } = usePart(PackDialog);
  if (Part) return <Part {...props} />;
  if (!hasFailed) return null;
  return (
    <Notice tone="amber" title="This could not be loaded." className="mb-5 max-w-2xl">
      <p>The connection may be poor just now.</p>
      <Button className="mt-3 mb-1" busy={isTrying} onClick={tryAgain}>
        Try again
      </Button>
    </Notice>
  );
}
