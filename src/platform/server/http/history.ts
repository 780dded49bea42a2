/**
 * The `Link` header of a list that answers one page of its history.
 * @param path the list's path, with its search if it has one
 * @returns a link to the next page when this one is full, with the id behind which it begins
 */
export function nextPage(path: string, rows: { id: number }[], pageSize: number): Record<string, string> {
  const last = rows.at(-1);
  if (!last || rows.length < pageSize) return {};
  return { link: `<${path}${path.includes('?') ? '&' : '?'}before=${last.id}>; rel="next"` };
}
