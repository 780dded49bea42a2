import { AudioLines } from 'lucide-react';
import { isNothing, type Written } from '../draft/draft.ts';

type ClosedFormProps = { written: Written; hasSound: boolean; onOpen: () => void };

/** The form of a card that is not worked on: one line, with how it was begun. It opens in its place. */
export function ClosedForm({ written, hasSound, onOpen }: ClosedFormProps) {
  const { text, marks } = written;
  const begun = text.trim() || (isNothing(written) ? '' : marksOf(marks.length));
  return (
    <button
      type="button"
      onClick={onOpen}
      className="flex min-h-12 w-full min-w-0 items-center gap-2 rounded-md border border-edge bg-surface px-3 py-2 text-start text-sm hover:bg-sunk"
    >
      <span className="shrink-0 font-semibold">Written feedback</span>
      {begun !== '' && (
        <span dir="auto" className="min-w-0 truncate text-soft">
          {begun}
        </span>
      )}
      {hasSound && (
        <span className="ms-auto inline-flex shrink-0 items-center gap-1 text-soft">
          <AudioLines aria-hidden="true" className="size-4" />
          Audio response
        </span>
      )}
    </button>
  );
}

const marksOf = (count: number) => (count === 1 ? 'One mark' : `${count} marks`);
