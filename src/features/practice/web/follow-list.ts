import { navigate } from 'wouter/use-browser-location';
import type { PracticePlayer } from './engine/practice-player.ts';
import { queryClient } from '#web/api/query-client.ts';
import { afterTurn } from '#features/melodies/favourites/todays-list.ts';
import { todayQuery } from '#features/melodies/favourites/web/use-chosen.ts';
import { isListPlayed, listAddress } from '#features/melodies/favourites/web/list-address.ts';
import { noteSung, sungToday } from '#features/melodies/favourites/web/sung-today.ts';
import { countTurns } from './turns.ts';

/** The melody that the list has gone on to: its player begins by itself. */
let goesOnWith: number | null = null;

/**
 * Counts how many times a melody is sung, and plays today's list on where the address asks for that: again until its
 * turns are done, then the next one. @returns ends it
 */
export function followList(
  player: PracticePlayer,
  audio: HTMLAudioElement,
  melodyId: number,
  userId: string,
) {
  if (goesOnWith === melodyId && isListPlayed(location.search)) player.play();
  goesOnWith = null;
  if (isListPlayed(location.search)) void queryClient.prefetchQuery(todayQuery);
  return countTurns(player, audio, () => {
    noteSung(userId, melodyId);
    if (!isListPlayed(location.search)) return;
    const list = queryClient.getQueryData(todayQuery.queryKey) ?? [];
    const next = afterTurn(list, sungToday(userId), melodyId);
    if (next.do === 'again') player.play();
    else if (next.do === 'rest') player.pause();
    else {
      goesOnWith = next.melodyId;
      // Replaced, so that going back leads to where the list was begun.
      navigate(listAddress(next.melodyId), { replace: true, state: history.state as unknown });
    }
  });
}
