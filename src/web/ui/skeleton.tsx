import { clsx } from 'clsx';

/** A placeholder for content that is loading. Give it the final size, so that the layout does not shift. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden="true" className={clsx('animate-pulse rounded-md bg-line', className)} />
);

type SkeletonListProps = { label?: string; count?: number; className?: string; itemClassName?: string };

/** Several skeletons, with one sentence for screen readers. */
export function SkeletonList({
  label = 'Loading...',
  count = 3,
  className,
  itemClassName = 'h-40',
}: SkeletonListProps) {
  return (
    <div role="status" className={clsx('grid gap-5', className)}>
      <span className="sr-only">{label}</span>
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} className={itemClassName} />
      ))}
    </div>
  );
}
