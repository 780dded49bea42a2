type ItemResult<I> = { id: I; ok: boolean; message?: string | undefined };

/**
 * Result of a bulk change. `title` says how many items succeeded and failed; `failures` lists the failed ones
 * with the reason.
 */
export type BulkResult<I> = { title: string; failures: { id: I; name: string; message: string }[] };

/** Sends a bulk change in successive requests of at most `most` items. Returns the results of all items. */
export async function sendInBatches<I>(
  ids: readonly I[],
  most: number,
  send: (part: I[]) => Promise<{ results: ItemResult<I>[] }>,
): Promise<ItemResult<I>[]> {
  const results: ItemResult<I>[] = [];
  for (let from = 0; from < ids.length; from += most)
    results.push(...(await send(ids.slice(from, from + most))).results);
  return results;
}

/**
 * Counts the successes and collects the failures for the notice.
 * @param done past participle for the title, as in '3 deleted'
 */
export function summarizeBulkResult<I>(
  results: readonly ItemResult<I>[],
  names: ReadonlyMap<I, string>,
  done: string,
): BulkResult<I> {
  const failures = results
    .filter(({ ok }) => !ok)
    .map(({ id, message = 'That didn’t work.' }) => ({ id, name: names.get(id) ?? '', message }));
  const count = (results.length - failures.length).toLocaleString('en');
  return { title: `${count} ${done}${failures.length > 0 ? `, ${failures.length} failed` : ''}`, failures };
}
