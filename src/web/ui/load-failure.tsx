import { getErrorMessage } from '../api/call.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

/** Something that could not be loaded and can be refetched: a query, or code that is loaded on demand. */
export type RefetchableResource = { error: unknown; isFetching: boolean; refetch: () => unknown };

type LoadFailureProps = {
  /** For example 'The users could not be loaded.' */
  sentence: string;
  /** One query, or several if the page needs all of them. */
  of: RefetchableResource | readonly RefetchableResource[];
  /** 'amber' for something that the rest of the page does not need. */
  tone?: 'danger' | 'amber';
  /** A sentence after the reason. */
  note?: string;
  className?: string | undefined;
};

/**
 * Shown in place of data that could not be loaded, with the reason and a button to retry without leaving the
 * page.
 */
export function LoadFailure({ sentence, of: queries, tone = 'danger', note, className }: LoadFailureProps) {
  const all = [queries].flat();
  const error = all.map((each) => each.error).find(Boolean);
  return (
    <Notice {...{ tone, className }} title={sentence}>
      <p>
        {getErrorMessage(error, fallbacks[tone])}
        {note && ` ${note}`}
      </p>
      <Button
        className="mt-3 mb-1"
        busy={all.some(({ isFetching }) => isFetching)}
        onClick={() => all.forEach(({ refetch }) => void refetch())}
      >
        Try again
      </Button>
    </Notice>
  );
}

const fallbacks = {
  danger: 'Something went wrong. Please try again.',
  amber: 'Your connection may be poor.',
};
