import { duration } from '#web/ui/duration.ts';
import { wordsOf } from '../parse.ts';
import { langOf } from './tibetan.ts';
import type { TimedText } from './use-timed-text.ts';

type LineListProps = { text: TimedText; onPress: (index: number) => void };

/** Every line that has a time, with its number: the way through a long text. */
export function LineList({ text: { lines, passages }, onPress }: LineListProps) {
  return (
    <ol aria-label="Lines" className="grid">
      {passages.map(({ index, start }) => {
        const words = wordsOf(lines[index]!);
        return (
          <li key={index}>
            <button
              type="button"
              onClick={() => onPress(index)}
              className="grid min-h-11 w-full grid-cols-[2rem_minmax(0,1fr)_auto] items-center gap-x-2 rounded-sm px-2 text-start text-sm hover:bg-sunk"
            >
              <span className="font-semibold text-saffron-ink tabular-nums">{index + 1}</span>
              <span {...langOf(words)} className="truncate font-serif">
                {words}
              </span>
              <span className="text-soft tabular-nums">{duration(start)}</span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
