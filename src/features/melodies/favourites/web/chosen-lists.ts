import { type CallError, sentenceOf } from '#web/api/call.ts';
import { toast } from '#web/ui/toasts.ts';
import type { Favourite, TodaysMelody } from '../contract.ts';
import { createOptimisticList, type ListChange, sends } from './optimistic-list.ts';
import { favouritesQuery, todayQuery } from './use-chosen.ts';

const favourites = createOptimisticList<Favourite>(favouritesQuery.queryKey[0]);
const today = createOptimisticList<TodaysMelody>(todayQuery.queryKey[0]);

const FAVOURITES_FAILED = 'Your favourites could not be changed.';
export const TODAY_FAILED = 'Your list could not be changed.';

const without = <Row extends { melodyId: number }>(rows: readonly Row[], id: number) =>
  rows.filter(({ melodyId }) => melodyId !== id);

export const setFavourite = (melodyId: number, isFavourite: boolean) =>
  said(
    FAVOURITES_FAILED,
    favourites.change({
      apply: (rows) => [...(isFavourite ? [{ melodyId }] : []), ...without(rows, melodyId)],
      send: isFavourite
        ? sends('PUT /api/user/favourites/{id}', { params: { id: melodyId } })
        : sends('DELETE /api/user/favourites/{id}', { params: { id: melodyId } }),
    }),
  );

const changeToday = (change: ListChange<TodaysMelody>) => said(TODAY_FAILED, today.change(change));

/** At the end, or with another number of times in its place. */
export const putToday = (melody: TodaysMelody) =>
  changeToday({
    apply: (rows) =>
      rows.some(({ melodyId }) => melodyId === melody.melodyId)
        ? rows.map((row) => (row.melodyId === melody.melodyId ? melody : row))
        : [...rows, melody],
    send: sends('PUT /api/user/today/{id}', {
      params: { id: melody.melodyId },
      body: { times: melody.times },
    }),
  });

export const removeToday = (melodyId: number) =>
  changeToday({
    apply: (rows) => without(rows, melodyId),
    send: sends('DELETE /api/user/today/{id}', { params: { id: melodyId } }),
  });

/** Those that are not named follow, as on the server. */
export function orderToday(melodyIds: number[]) {
  const place = ({ melodyId }: TodaysMelody) =>
    melodyIds.includes(melodyId) ? melodyIds.indexOf(melodyId) : melodyIds.length;
  return changeToday({
    apply: (rows) => [...rows].sort((a, b) => place(a) - place(b)),
    send: sends('PUT /api/user/today', { body: { melodyIds } }),
  });
}

async function said(title: string, changed: Promise<CallError | null>) {
  const error = await changed;
  if (error) toast({ title, description: sentenceOf(error, 'Please try again.'), variant: 'destructive' });
  return error;
}
