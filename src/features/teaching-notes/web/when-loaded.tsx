import { type LazyPart, usePart } from '#web/navigation/lazy-page.ts';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

type WhenLoadedProps<P extends object> = { part: LazyPart<P>; given: P; failure: string };

/** What a dialog holds, whose code comes when it is first opened. */
export function WhenLoaded<P extends object>({ part, given, failure }: WhenLoadedProps<P>) {
  const { Part, hasFailed, error, isTrying, tryAgain } = usePart(part);
  if (Part) return <Part {...given} />;
  if (hasFailed) return <LoadFailure sentence={failure} {...{ error, isTrying }} onTryAgain={tryAgain} />;
  return <Skeleton className="h-64 w-full" />;
}
