const UNITS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short' });
const day = new Intl.DateTimeFormat('en', { dateStyle: 'long' });

/** '2 hours ago'; the exact moment on hover and for screen readers. */
export function TimeAgo({ time, className }: { time: string; className?: string }) {
  const moment = new Date(time);
  return (
    <time dateTime={time} title={exact.format(moment)} className={className}>
      {timeAgo(moment)}
      <span className="sr-only"> ({exact.format(moment)})</span>
    </time>
  );
}

/** 'November 20, 2026'; the hour on hover. */
export function ExactDate({ time, className }: { time: string; className?: string }) {
  const moment = new Date(time);
  return (
    <time dateTime={time} title={exact.format(moment)} className={className}>
      {day.format(moment)}
    </time>
  );
}

export function timeAgo(moment: Date, now = new Date()) {
  const seconds = Math.round((moment.getTime() - now.getTime()) / 1000);
  const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length);
  return unit ? relative.format(Math.trunc(seconds / unit[1]), unit[0]) : 'just now';
}
