import { clsx } from 'clsx';
import { Check, Pencil, Play } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { PractisedMelodyRecord } from '#features/practice/web/engine/practice-settings.ts';
import { setPlayOnOpen } from '#features/practice/web/play-on-open.ts';
import { getPlayerUrl } from '#features/practice/web/player-url.ts';
import { useUser } from '#web/api/session.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import type { TodaysMelody } from '#features/melodies/favourites/contract.ts';
import {
  getFirstUnfinishedMelodyId,
  formatRepetitions,
  isTodaysItemDone,
  estimateListMinutes,
  type SungCounts,
} from '#features/melodies/favourites/todays-list.ts';
import { getTodaysListUrl } from '#features/melodies/favourites/web/list-url.ts';
import { setSungCount, useTodaysSungCounts } from '#features/melodies/favourites/web/sung-today.ts';
import { TodaysListEditor } from '#features/melodies/favourites/web/todays-list-editor.tsx';

type TodaysListSectionProps = { list: readonly TodaysMelody[]; last: PractisedMelodyRecord | null };

/**
 * Today's list. A melody's circle is ticked when it has been sung as often as planned, or when the student
 * presses the circle.
 */
export function TodaysListSection({ list, last }: TodaysListSectionProps) {
  const sung = useTodaysSungCounts(useUser().id);
  const [isEditing, setIsEditing] = useState(false);
  const minutes = estimateListMinutes(list);
  const first = getFirstUnfinishedMelodyId(list, sung)!;
  return (
    <section aria-labelledby="today">
      <div className="mb-2.5 flex min-h-12 flex-wrap items-center gap-x-2.5 gap-y-1">
        <h2 id="today" className="text-2xl">
          Today
        </h2>
        {minutes !== null && (
          <p className="text-sm text-soft">
            about {minutes === 1 ? '1 minute' : `${minutes.toLocaleString('en')} minutes`}
          </p>
        )}
        <ButtonLink
          href={getTodaysListUrl(first)}
          onClick={() => setPlayOnOpen(first)}
          icon={<Play className="fill-current" />}
          className="ms-auto max-sm:px-3"
        >
          Play the list
        </ButtonLink>
      </div>
      <Card isBare>
        {isEditing ? (
          <TodaysListEditor list={list} />
        ) : (
          <ul className="divide-y divide-line">
            {list.map((melody) => (
              <TodaysRow key={melody.melodyId} {...{ melody, sung, last }} />
            ))}
          </ul>
        )}
        <div className="border-t border-line px-1.5">
          <Button
            variant="quiet"
            icon={isEditing ? <Check /> : <Pencil />}
            className="text-lapis"
            onClick={() => setIsEditing(!isEditing)}
          >
            {isEditing ? 'Done' : 'Edit list'}
          </Button>
        </div>
      </Card>
    </section>
  );
}

type TodaysRowProps = { melody: TodaysMelody; sung: SungCounts; last: PractisedMelodyRecord | null };

function TodaysRow({ melody, sung, last }: TodaysRowProps) {
  const { melodyId, title, times } = melody;
  const userId = useUser().id;
  const done = isTodaysItemDone(melody, sung);
  return (
    <li className="flex items-center gap-1 ps-2 pe-1">
      <button
        type="button"
        role="checkbox"
        aria-checked={done}
        aria-label={`Sung today: ${title}`}
        onClick={() => setSungCount(userId, melodyId, done ? 0 : times)}
        className="group grid size-12 shrink-0 place-items-center rounded-full"
      >
        <span
          className={clsx(
            'grid size-7 place-items-center rounded-full border',
            done ? 'border-action bg-action text-on-action' : 'border-edge bg-surface group-hover:bg-sunk',
          )}
        >
          {done && <Check className="size-4.5" />}
        </span>
      </button>
      <div className="min-w-0 grow py-2.5">
        <h3
          {...getLangProps(title)}
          className="line-clamp-2 text-lg leading-snug wrap-anywhere [&:lang(bo)]:line-clamp-none [&:lang(bo)]:leading-[1.9]"
        >
          {title}
        </h3>
        <p className="text-sm text-soft">{describeProgress(melody, sung, last)}</p>
      </div>
      <Link
        href={getPlayerUrl(melodyId)}
        onClick={() => setPlayOnOpen(melodyId)}
        aria-label={`Play ${title}`}
        className="grid size-12 shrink-0 place-items-center rounded-full text-action hover:bg-sunk"
      >
        <Play className="size-5 fill-current" />
      </Link>
    </li>
  );
}

/** Returns 'sung 3 times', '2 of 7 times' or '7 times · you stopped at line 3, at 0.75× speed'. */
function describeProgress(melody: TodaysMelody, sung: SungCounts, last: PractisedMelodyRecord | null) {
  const { melodyId, times } = melody;
  const already = sung[melodyId] ?? 0;
  if (isTodaysItemDone(melody, sung)) return `sung ${formatRepetitions(already)}`;
  if (already > 0) return `${already} of ${formatRepetitions(times)}`;
  if (last?.melodyId !== melodyId || last.line === null) return formatRepetitions(times);
  const speed = last.rate === 1 ? '' : `, at ${last.rate}× speed`;
  return `${formatRepetitions(times)} · you stopped at line ${last.line + 1}${speed}`;
}
