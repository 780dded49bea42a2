/** Seconds to a tenth, by which times are moved: 1:05.3. */
export function tenths(seconds: number) {
  const all = Math.round(Math.max(0, seconds) * 10);
  return `${Math.floor(all / 600)}:${((all % 600) / 10).toFixed(1).padStart(4, '0')}`;
}
