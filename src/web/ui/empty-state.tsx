import type { ReactNode } from 'react';
import { Lotus } from './lotus.tsx';

type EmptyStateProps = {
  title: string;
  /** Describes what will be shown here. */
  children?: ReactNode;
  /** The next step, usually a ButtonLink. */
  action?: ReactNode;
};

export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center rounded-lg border border-line bg-surface px-5 py-12 text-center">
      <Lotus className="mb-5 w-24 text-saffron" strokeWidth={1.5} />
      <h2 className="text-xl">{title}</h2>
      {children && <p className="mt-2 max-w-md text-soft">{children}</p>}
      {action && <div className="mt-6">{action}</div>}
    </div>
  );
}
