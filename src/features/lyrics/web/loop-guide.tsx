import { Button } from '#web/ui/button.tsx';
import { getLineWords } from '../parse.ts';
import type { LineLoops } from './line-loops.ts';
import type { TimedText } from './use-timed-text.ts';

/**
 * Instructions while the user chooses a loop by its lines. They are above the words, where they can't scroll
 * out of view.
 */
export function LoopGuide({ loops: { choice, cancel }, text }: { loops: LineLoops; text: TimedText }) {
  return (
    <div role="status" className="shrink-0">
      {choice.step !== 'none' && (
        <div className="flex items-center justify-center gap-x-4 bg-saffron-ground px-4 py-1 text-sm leading-tight text-saffron-ink">
          <p className="line-clamp-3 min-w-0">
            {choice.step === 'first'
              ? 'Choose the line where the loop starts.'
              : `The loop starts at “${getLineWords(text.lines[choice.from]!)}”. Now choose its last line. To loop only this line, choose it again.`}
          </p>
          <Button variant="quiet" className="shrink-0 text-saffron-ink" onClick={cancel}>
            Cancel
          </Button>
        </div>
      )}
    </div>
  );
}
