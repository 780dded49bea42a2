import { Smartphone } from 'lucide-react';
import { useState } from 'react';
import { createLazyComponent, useLazyComponent } from '#web/navigation/lazy-component.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import type { Level } from '#features/people/levels/contract.ts';
import type { MelodySummary } from '#features/melodies/contract.ts';
import { type PackState, usePack } from './pack-state.ts';

const PackDialog = createLazyComponent(() => import('./pack-dialog.tsx'));

export type PackBarProps = { melodies: readonly MelodySummary[]; levels: readonly Level[] };

/** The number of stored melodies, and a button to manage them. */
export default function PackBar(props: PackBarProps) {
  const count = usePack(countSaved);
  const [isOpen, setIsOpen] = useState(false);
  const preload = () => void PackDialog.preload();
  return (
    <>
      <div className="flex min-h-11 items-center justify-between gap-x-5 text-sm">
        <p className="text-soft">
          {count > 0 && `${count === 1 ? '1 melody' : `${count} melodies`} saved on this device`}
        </p>
        <Button
          variant="quiet"
          aria-haspopup="dialog"
          className="ms-auto whitespace-nowrap"
          icon={<Smartphone />}
          onPointerEnter={preload}
          onFocus={preload}
          onClick={() => setIsOpen(true)}
        >
          Offline melodies
        </Button>
      </div>
      {isOpen && <LazyPackDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

const countSaved = ({ entries }: PackState) =>
  [...entries].filter(([id, { isSaved }]) => isSaved && id !== 'own').length;

/** Loads and shows the dialog. If its code fails to load, the user can retry. */
function LazyPackDialog(props: PackBarProps & { onClose: () => void }) {
  const { Part, ...loading } = useLazyComponent(PackDialog);
  if (Part) return <Part {...props} />;
  if (!loading.isError) return null;
  return (
    <LoadFailure
      tone="amber"
      sentence="Couldn’t open your offline melodies."
      of={loading}
      className="mb-5 max-w-2xl"
    />
  );
}
