import { clsx } from 'clsx';
import type { ReactNode } from 'react';

export type NoticeTone = 'amber' | 'info' | 'danger' | 'success';

type NoticeProps = {
  tone?: NoticeTone;
  title?: string;
  children?: ReactNode;
  /** Suppresses the announcement by screen readers, for a notice that is shown from the start. */
  isQuiet?: boolean;
  className?: string | undefined;
};

/**
 * A lasting message beside the content that it concerns. Errors interrupt a screen reader; other messages wait.
 */
export function Notice({ tone = 'info', title, children, isQuiet = false, className }: NoticeProps) {
  const role = isQuiet ? undefined : tone === 'danger' ? 'alert' : 'status';
  return (
    <div
      role={role}
      className={clsx('rounded-md border-s-4 px-4 py-3 text-sm', toneClasses[tone], className)}
    >
      {title && <p className="font-semibold">{title}</p>}
      {children && <div className={clsx(title && 'mt-0.5')}>{children}</div>}
    </div>
  );
}

const toneClasses: Record<NoticeTone, string> = {
  amber: 'border-saffron bg-saffron-ground text-saffron-ink',
  info: 'border-lapis bg-lapis-ground text-lapis',
  danger: 'border-danger bg-danger-ground text-danger',
  success: 'border-jade-ink bg-jade-ground text-jade-ink',
};
