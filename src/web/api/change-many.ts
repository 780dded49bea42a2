type Result<I> = { id: I; ok: boolean; message?: string | undefined };

/** The result of a bulk change: how many succeeded, and which failed and why. */
export type ManyDone<I> = { title: string; failures: { id: I; name: string; message: string }[] };

/** Sends a bulk change in requests of the maximum size. */
export async function inParts<I>(
  ids: readonly I[],
  most: number,
  send: (part: I[]) => Promise<{ results: Result<I>[] }>,
): Promise<Result<I>[]> {
  const results: Result<I>[] = [];
  for (let from = 0; from < ids.length; from += most)
    results.push(...(await send(ids.slice(from, from + most))).results);
  return results;
}

/** @param done what they are now, as in '3 deleted' */
export function manyDone<I>(
  results: readonly Result<I>[],
  names: ReadonlyMap<I, string>,
  done: string,
): ManyDone<I> {
  const failures = results
    .filter(({ ok }) => !ok)
    .map(({ id, message = 'That didn’t work.' }) => ({ id, name: names.get(id) ?? '', message }));
  const count = (results.length - failures.length).toLocaleString('en');
  return { title: `${count} ${done}${failures.length > 0 ? `, ${failures.length} failed` : ''}`, failures };
}
