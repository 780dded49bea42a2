import { type CallError, callApi, type OptionsArgument, type ApiRoute } from '#web/api/call.ts';
import { showFailureToast } from '#web/ui/toast-failure.ts';
import type { Favourite, TodaysMelody } from '../contract.ts';
import { favouritesQuery, todaysListQuery } from './use-chosen-melodies.ts';
import { queryClient, refreshQueries } from '#web/api/query-client.ts';

const favourites = createOptimisticList<Favourite>(favouritesQuery.queryKey[0]);
const today = createOptimisticList<TodaysMelody>(todaysListQuery.queryKey[0]);

const FAVOURITES_FAILED = 'Couldn’t change your favourites.';
export const TODAYS_LIST_FAILED_MESSAGE = 'Couldn’t change your list.';

const removeRow = <Row extends { melodyId: number }>(rows: readonly Row[], id: number) =>
  rows.filter(({ melodyId }) => melodyId !== id);

export const setFavourite = (melodyId: number, isFavourite: boolean) =>
  toastOnFailure(
    FAVOURITES_FAILED,
    favourites.change({
      apply: (rows) => [...(isFavourite ? [{ melodyId }] : []), ...removeRow(rows, melodyId)],
      send: isFavourite
        ? createSend('PUT /api/user/favourites/{id}', { params: { id: melodyId } })
        : createSend('DELETE /api/user/favourites/{id}', { params: { id: melodyId } }),
    }),
  );

const changeToday = (change: ListChange<TodaysMelody>) =>
  toastOnFailure(TODAYS_LIST_FAILED_MESSAGE, today.change(change));

/** Adds the melody at the end, or updates its number of times in place. */
export const addToTodaysList = (melody: TodaysMelody) =>
  changeToday({
    apply: (rows) =>
      rows.some(({ melodyId }) => melodyId === melody.melodyId)
        ? rows.map((row) => (row.melodyId === melody.melodyId ? melody : row))
        : [...rows, melody],
    send: createSend('PUT /api/user/today/{id}', {
      params: { id: melody.melodyId },
      body: { times: melody.times },
    }),
  });

export const removeFromTodaysList = (melodyId: number) =>
  changeToday({
    apply: (rows) => removeRow(rows, melodyId),
    send: createSend('DELETE /api/user/today/{id}', { params: { id: melodyId } }),
  });

/** Moves the given melodies to the start. The others follow in their previous order, as on the server. */
export function reorderTodaysList(melodyIds: number[]) {
  const place = ({ melodyId }: TodaysMelody) =>
    melodyIds.includes(melodyId) ? melodyIds.indexOf(melodyId) : melodyIds.length;
  return changeToday({
    apply: (rows) => [...rows].sort((a, b) => place(a) - place(b)),
    send: createSend('PUT /api/user/today', { body: { melodyIds } }),
  });
}

async function toastOnFailure(title: string, changed: Promise<CallError | null>) {
  const error = await changed;
  if (error) showFailureToast(title, error);
  return error;
}

/** Optimistic change. `apply` returns the expected list, and `send` makes the request. */
type ListChange<Row> = { apply(rows: readonly Row[]): Row[]; send(): Promise<unknown> };

/**
 * Creates a list with optimistic updates. Changes are shown immediately and sent one after the other. If a
 * change fails, only that change is rolled back.
 * @param url URL of the list, which is also its key in the query cache
 */
function createOptimisticList<Row>(url: string) {
  let confirmed: readonly Row[] = [];
  let pending: ListChange<Row>[] = [];
  let sending: Promise<unknown> = Promise.resolve();

  const show = () =>
    queryClient.setQueryData<readonly Row[]>(
      [url],
      pending.reduce<readonly Row[]>((rows, { apply }) => apply(rows), confirmed),
    );

  async function settle(change: ListChange<Row>): Promise<CallError | null> {
    try {
      await change.send();
      confirmed = change.apply(confirmed);
      return null;
    } catch (error) {
      return error as CallError;
    } finally {
      pending = pending.filter((each) => each !== change);
      show();
    }
  }

  return {
    /** @returns null once the server has applied the change, or the error once it has been rolled back */
    async change(change: ListChange<Row>): Promise<CallError | null> {
      // Cancels fetches in progress, whose responses would overwrite the optimistic state.
      await queryClient.cancelQueries({ queryKey: [url] });
      if (pending.length === 0) confirmed = queryClient.getQueryData<readonly Row[]>([url]) ?? [];
      pending = [...pending, change];
      show();
      const settled = sending.then(() => settle(change));
      sending = settled;
      const error = await settled;
      // Refetches the list, because the server may have applied the change although it returned an error.
      // Without a connection (status 0), the refetch would fail too.
      if (error && pending.length === 0 && error.status !== 0) refreshQueries([url]);
      return error;
    },
  };
}

/** Returns a `ListChange.send` that calls this endpoint. */
const createSend =
  <R extends ApiRoute>(route: R, ...options: OptionsArgument<R>) =>
  () =>
    callApi(route, ...options);
