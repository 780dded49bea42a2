import { Pencil, Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { rowsOf, usePages } from '#web/navigation/pages.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { PractisedMelody } from '../contract.ts';
import { DayForm } from './day-form.tsx';
import { dayInWords, inMinutesAndTimes } from './practice-words.ts';

type PractisedDaysProps = { melody: PractisedMelody; today: string };

const FAILURE = 'Couldn’t load your practice days.';

/** The days of a melody, which can be corrected and added by hand. */
export function PractisedDays({ melody, today }: PractisedDaysProps) {
  const pages = usePages('GET /api/user/practice-log/{id}/days', { params: { id: melody.id } });
  const list = useRef<HTMLUListElement>(null);
  /** The day being corrected; 'other' while adding one. */
  const [corrected, setCorrected] = useState<string | null>(null);
  const days = rowsOf(pages.data);
  const close = () => setCorrected(null);
  if (pages.isPending) return <Skeleton className="h-24" />;
  if (pages.isError && !pages.isFetchNextPageError) return <LoadFailure sentence={FAILURE} of={pages} />;
  return (
    <section aria-label={`Practice days of ${melody.title}`}>
      <ul ref={list} className="divide-y divide-line">
        {days.map((day) => (
          <li key={day.day} className="py-1">
            {corrected === day.day ? (
              <DayForm key={`${day.seconds} ${day.times}`} {...{ melody, today, day }} onClose={close} />
            ) : (
              <div className="flex items-center gap-2">
                <p className="min-w-0 grow text-sm">
                  {dayInWords(day.day, today)}: {inMinutesAndTimes(day)}
                </p>
                <IconButton
                  label={`Edit ${dayInWords(day.day, today)}`}
                  icon={<Pencil />}
                  onClick={() => setCorrected(day.day)}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
      <LoadMore pages={pages} list={list} failure={FAILURE} />
      {corrected === 'other' ? (
        <DayForm {...{ melody, today }} onClose={close} />
      ) : (
        <Button icon={<Plus />} className="mt-2" onClick={() => setCorrected('other')}>
          Add practice
        </Button>
      )}
    </section>
  );
}
