/**
 * The `Link` header of a paginated list.
 * @param path the list's path, with its query if any
 * @returns a link to the next page if this one is full, with the id after which it starts
 */
export function nextPage(path: string, rows: { id: number }[], pageSize: number): Record<string, string> {
  const last = rows.at(-1);
  if (!last || rows.length < pageSize) return {};
  return { link: `<${path}${path.includes('?') ? '&' : '?'}before=${last.id}>; rel="next"` };
}
