import { SkeletonList } from '#web/ui/skeleton.tsx';

export const LINES_NOT_LOADED_MESSAGE = 'The lines could not be loaded.';

export const LinesSkeleton = () => (
  <SkeletonList label="Loading the lines..." itemClassName="h-14" className="gap-2" />
);
