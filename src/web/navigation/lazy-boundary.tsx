import type { ReactNode } from 'react';
import { LoadFailure } from '../ui/load-failure.tsx';
import { type LazyComponent, useLazyComponent } from './lazy-component.ts';

type LazyBoundaryProps<P extends object> = P & {
  part: LazyComponent<P>;
  fallback?: ReactNode;
  /** Message such as 'The recorder could not be loaded.' If absent, the fallback stays when loading fails. */
  failure?: string;
};

/** Renders a lazy component, and the fallback until it loads. */
export function LazyBoundary<P extends object>(props: LazyBoundaryProps<P>) {
  const { part, fallback = null, failure, ...given } = props;
  const { Part, ...loading } = useLazyComponent(part);
  if (Part) return <Part {...(given as unknown as P)} />;
  return failure && loading.isError ? <LoadFailure sentence={failure} of={loading} /> : fallback;
}
