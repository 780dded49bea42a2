import type { ReactNode } from 'react';
import { type LazyPart, usePart } from './lazy-page.ts';

type FetchedProps<P extends object> = P & { part: LazyPart<P>; until?: ReactNode };

/** A part that the page does without until its code has come, and when it does not come. @param props.until in its place */
export function Fetched<P extends object>({ part, until = null, ...props }: FetchedProps<P>) {
  const { Part } = usePart(part);
  return Part ? <Part {...(props as unknown as P)} /> : until;
}
