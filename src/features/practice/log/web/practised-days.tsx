import { Pencil, Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { getLoadedRows, usePagedList } from '#web/navigation/paged-list.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { LoadMoreButton } from '#web/ui/load-more-button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { PractisedMelody } from '../contract.ts';
import { PracticeDayForm } from './practice-day-form.tsx';
import { formatPracticeDay, formatPracticeTotals } from './format-practice.ts';

type PractisedDaysProps = { melody: PractisedMelody; today: string };

const LOAD_FAILED = 'Couldn’t load your practice days.';

/** The days on which a melody was practised. The student can correct and add days. */
export function PractisedDays({ melody, today }: PractisedDaysProps) {
  const pages = usePagedList('GET /api/user/practice-log/{id}/days', { params: { id: melody.id } });
  const list = useRef<HTMLUListElement>(null);
  /** The day being corrected, or 'other' while a day is being added. */
  const [editedDay, setEditedDay] = useState<string | null>(null);
  const days = getLoadedRows(pages.data);
  const close = () => setEditedDay(null);
  if (pages.isPending) return <Skeleton className="h-24" />;
  if (pages.isError && !pages.isFetchNextPageError) return <LoadFailure sentence={LOAD_FAILED} of={pages} />;
  return (
    <section aria-label={`Practice days of ${melody.title}`}>
      <ul ref={list} className="divide-y divide-line">
        {days.map((day) => (
          <li key={day.day} className="py-1">
            {editedDay === day.day ? (
              <PracticeDayForm
                key={`${day.seconds} ${day.times}`}
                {...{ melody, today, day }}
                onClose={close}
              />
            ) : (
              <div className="flex items-center gap-2">
                <p className="min-w-0 grow text-sm">
                  {formatPracticeDay(day.day, today)}: {formatPracticeTotals(day)}
                </p>
                <IconButton
                  label={`Edit ${formatPracticeDay(day.day, today)}`}
                  icon={<Pencil />}
                  onClick={() => setEditedDay(day.day)}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
      <LoadMoreButton pages={pages} list={list} failure={LOAD_FAILED} />
      {editedDay === 'other' ? (
        <PracticeDayForm {...{ melody, today }} onClose={close} />
      ) : (
        <Button icon={<Plus />} className="mt-2" onClick={() => setEditedDay('other')}>
          Add practice
        </Button>
      )}
    </section>
  );
}
