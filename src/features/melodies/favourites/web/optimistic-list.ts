import { call, type CallError, type OptionsArgument, type Route } from '#web/api/call.ts';
import { queryClient, refresh } from '#web/api/query-client.ts';

/** One change: how the list looks with it, and the call that makes it so. */
export type ListChange<Row> = { apply(rows: readonly Row[]): Row[]; send(): Promise<unknown> };

/**
 * A list that shows each change at once, and sends them one after the other. One that failed is taken back alone:
 * those that were made meanwhile stay.
 * @param url the list's address, and its key in the query cache
 */
export function createOptimisticList<Row>(url: string) {
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
    /** @returns null once it is on the server, or why it is not: then it was taken back */
    async change(change: ListChange<Row>): Promise<CallError | null> {
      // What was asked before would overwrite what is shown.
      await queryClient.cancelQueries({ queryKey: [url] });
      if (pending.length === 0) confirmed = queryClient.getQueryData<readonly Row[]>([url]) ?? [];
      pending = [...pending, change];
      show();
      const settled = sending.then(() => settle(change));
      sending = settled;
      const error = await settled;
      // It may have been made, and only the answer lost.
      if (error && pending.length === 0 && error.status !== 0) refresh([url]);
      return error;
    },
  };
}

/** A call as the `send` of a change. */
export const sends =
  <R extends Route>(route: R, ...options: OptionsArgument<R>) =>
  () =>
    call(route, ...options);
