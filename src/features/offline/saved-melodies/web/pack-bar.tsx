import { Smartphone } from 'lucide-react';
import { useState } from 'react';
import { sentenceOf } from '#web/api/call.ts';
import { lazyPart, usePart } from '#web/navigation/lazy-page.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { Level } from '#features/people/levels/contract.ts';
import type { MelodySummary } from '#features/melodies/contract.ts';
import { FromDeviceNote } from '#web/offline/from-device-note.tsx';
import { type PackState, usePack } from './pack-state.ts';

const PackDialog = lazyPart(() => import('./pack-dialog.tsx'));

export type PackBarProps = { melodies: readonly MelodySummary[]; levels: readonly Level[] };

/** Above the cards: how many are kept on this device, the way to keep more, and whether there is a connection. */
export default function PackBar(props: PackBarProps) {
  const canKeep = usePack(({ actions }) => actions !== null);
  const count = usePack(keptCount);
  const [isOpen, setIsOpen] = useState(false);
  const preload = () => void PackDialog.preload();
  return (
    <>
      <FromDeviceNote>
        These are the melodies that are kept on this device. The others need a connection, and come back with
        it.
      </FromDeviceNote>
      {/* Its room is there from the start: nothing moves once it is known what can be kept. */}
      <div
        className={`-mt-2 mb-4 flex min-h-11 items-center justify-between gap-x-5 text-sm ${canKeep ? '' : 'invisible'}`}
      >
        <p className="text-soft">{count === 0 ? 'None kept here' : `${count} kept here`}</p>
        <Button
          variant="quiet"
          aria-haspopup="dialog"
          icon={<Smartphone />}
          onPointerEnter={preload}
          onFocus={preload}
          onClick={() => setIsOpen(true)}
        >
          Kept on this device
        </Button>
      </div>
      {isOpen && <Opened {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

const keptCount = ({ entries }: PackState) =>
  [...entries].filter(([id, { isKept }]) => isKept && id !== 'own').length;

/** Its code is the smallest of all; where it does not come, the button is pressed again. */
function Opened(props: PackBarProps & { onClose: () => void }) {
  const { Part, hasFailed, error, isTrying, tryAgain } = usePart(PackDialog);
  if (Part) return <Part {...props} />;
  if (!hasFailed) return null;
  return (
    <Notice tone="amber" title="This could not be loaded." className="mb-5 max-w-2xl">
      <p>{sentenceOf(error, 'The connection may be poor just now.')}</p>
      <Button className="mt-3 mb-1" busy={isTrying} onClick={tryAgain}>
        Try again
      </Button>
    </Notice>
  );
}
