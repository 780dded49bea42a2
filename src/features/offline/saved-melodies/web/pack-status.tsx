import { Smartphone } from 'lucide-react';
import { use } from 'react';
import type { MelodySummary } from '#features/melodies/contract.ts';
import { OnlineOnlyLevelsContext } from './online-only-levels.ts';
import { usePack } from './pack-state.ts';

/** Shows whether a melody is stored on this device, its download progress, or the button to store it. */
export default function PackStatus({
  melody: { id, title, transmissionLevelId },
}: {
  melody: MelodySummary;
}) {
  const entry = usePack(({ entries }) => entries.get(id));
  const actions = usePack((state) => state.actions);
  const isNeverKept = use(OnlineOnlyLevelsContext).has(transmissionLevelId);
  if (entry?.isSaved)
    return (
      <p className={`${rowClass} font-semibold text-jade-ink`}>
        <Smartphone className="size-5" />
        Saved on this device
      </p>
    );
  if (entry) return <Progress title={title} percent={Math.floor((entry.fraction ?? 0) * 100)} />;
  if (isNeverKept) return null;
  if (!actions) return null;
  return (
    <button
      type="button"
      aria-label={`Save for offline: ${title}`}
      onClick={() => actions.save([id])}
      className={`${rowClass} link self-start`}
    >
      <Smartphone className="size-5" />
      Save for offline
    </button>
  );
}

const rowClass = 'flex min-h-11 items-center gap-1.5 text-sm';

const Progress = ({ title, percent }: { title: string; percent: number }) => (
  <div className={`${rowClass} w-full`}>
    <span className="tabular-nums">{percent}%</span>
    <div
      role="progressbar"
      aria-label={`Saving ${title} on this device`}
      aria-valuenow={percent}
      className="h-1.5 grow overflow-hidden rounded-full bg-line forced-colors:border"
    >
      <div className="progress h-full bg-action" style={{ width: `${percent}%` }} />
    </div>
  </div>
);
