import { useQuery } from '@tanstack/react-query';
import { ListMusic } from 'lucide-react';
import { useSearch } from 'wouter';
import { useUser } from '#web/api/session.ts';
import { isPlayingTodaysList } from '#features/melodies/favourites/web/list-url.ts';
import { useTodaysSungCounts } from '#features/melodies/favourites/web/sung-today.ts';
import { todaysListQuery } from '#features/melodies/favourites/web/use-chosen-melodies.ts';

/** Shows that today's list is playing, with its current melody and round. */
export function TodaysListBar({ melodyId }: { melodyId: number }) {
  const isPlayed = isPlayingTodaysList(useSearch());
  const { data: list = [] } = useQuery({ ...todaysListQuery, enabled: isPlayed });
  const sung = useTodaysSungCounts(useUser().id)[melodyId] ?? 0;
  const index = list.findIndex((each) => each.melodyId === melodyId);
  const item = list[index];
  if (!isPlayed || !item) return null;
  const round = Math.min(item.times, sung + 1);
  return (
    <p className="flex shrink-0 items-center justify-center gap-2 px-4 pb-1 text-center text-sm text-soft">
      <ListMusic className="size-5 shrink-0" />
      <span>
        Today’s list: melody {index + 1} of {list.length}
        {item.times > 1 && `, round ${round} of ${item.times}`}
      </span>
    </p>
  );
}
