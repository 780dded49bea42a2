import { clsx } from 'clsx';
import type { ReactNode } from 'react';

export type BadgeTone = 'plain' | 'new' | 'waiting' | 'done' | 'info' | 'danger';

/** A status of one or two words. */
export function Badge({
  tone = 'plain',
  children,
  className,
}: {
  tone?: BadgeTone;
  children: ReactNode;
  className?: string;
}) {
  return (
    <span
      className={clsx(
        'inline-flex items-center gap-1 rounded-full px-2.5 py-0.5 text-xs font-semibold whitespace-nowrap forced-colors:border',
        toneClasses[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}

const toneClasses: Record<BadgeTone, string> = {
  plain: 'bg-sunk text-soft',
  new: 'bg-action-ground text-action',
  waiting: 'bg-saffron-ground text-saffron-ink',
  done: 'bg-jade-ground text-jade-ink',
  info: 'bg-lapis-ground text-lapis',
  danger: 'bg-danger-ground text-danger',
};

const MAX_SHOWN_COUNT = 99;

/** A red count, '99+' above 99 and nothing at 0. Screen readers announce `noun` after the count, for example 'unread'. */
export function CountBadge({ count, noun, className }: { count: number; noun: string; className?: string }) {
  if (count <= 0) return null;
  return (
    <span
      className={clsx(
        'inline-flex min-h-6 min-w-6 items-center justify-center rounded-full bg-count px-1.5 text-xs leading-none font-bold text-on-count forced-colors:border',
        className,
      )}
    >
      {count > MAX_SHOWN_COUNT ? `${MAX_SHOWN_COUNT}+` : count}
      <span className="sr-only"> {noun}</span>
    </span>
  );
}
