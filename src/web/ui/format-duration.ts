/** Formats seconds, rounded down, as people write them: 1:05, 11:05, 1:02:03. */
export function formatDuration(seconds: number) {
  const whole = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const rest = String(whole % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

/** Formats seconds to a tenth, the step for adjusting times and loop points: 1:05.3. */
export function formatDurationToTenths(seconds: number) {
  const whole = Math.round(Math.max(0, seconds) * 10);
  return `${formatDuration(whole / 10)}.${whole % 10}`;
}

/** Formats seconds, rounded down, in words for screen readers: '1 minute 5 seconds'. */
export function formatDurationInWords(seconds: number) {
  const whole = Math.max(0, Math.floor(seconds));
  const parts: readonly [number, string][] = [
    [Math.floor(whole / 3600), 'hour'],
    [Math.floor(whole / 60) % 60, 'minute'],
    [whole % 60, 'second'],
  ];
  const said = parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`);
  return said.length > 0 ? said.join(' ') : '0 seconds';
}
