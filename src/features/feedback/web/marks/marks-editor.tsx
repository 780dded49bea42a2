import { Flag } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import { Announce } from '../../../../platform/web/ui/announce.tsx';
import { Button } from '../../../../platform/web/ui/button.tsx';
import { MARKS_MAX } from '../../limits.ts';
import { placeOf } from '../../marks.ts';
import { LineChoice } from './line-choice.tsx';
import type { TimedLine } from './mark-lines.ts';
import { edited, keyOf, replaced } from './marking.ts';
import { MarkRow } from './mark-row.tsx';
import type { Marking } from './use-marking.ts';

type MarksEditorProps = {
  marking: Marking;
  /** Seconds of the recording. */
  duration: number;
  isDisabled: boolean;
  /** Lines of the melody; if empty, no lines are offered. */
  lines: readonly TimedLine[];
  /** Keyboard shortcut to display; null where there is none. */
  shortcut?: string | null;
};

/** Editor of a recording's marks: set while it plays, worded at once, played, moved and removed. */
export function MarksEditor({ marking, duration, isDisabled, lines, shortcut = null }: MarksEditorProps) {
  const { marks, openKey, isOpen } = marking;
  const list = useRef<HTMLOListElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useFocusOnTheNew(list, openKey);

  const remove = (index: number) => {
    marking.change(marks.filter((_, at) => at !== index));
    button.current?.focus();
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {marks.length > 0 && (
        <ol ref={list} aria-label="Marks" className="grid grid-cols-[minmax(0,1fr)] gap-2">
          {marks.map((mark, index) => (
            <MarkRow
              key={keyOf(mark)}
              {...{ mark, duration, isDisabled }}
              number={index + 1}
              isOpen={keyOf(mark) === openKey}
              onChange={(next) => marking.change(replaced(marks, mark, next))}
              onPlay={() => marking.playFrom(mark)}
              onRemove={() => remove(index)}
              onDone={() => {
                marking.close();
                button.current?.focus();
              }}
            >
              {lines.length > 0 && (
                <LineChoice
                  {...{ mark, marks, lines, isDisabled }}
                  place={placeOf(mark)}
                  onChange={(melodyAt) => marking.change(replaced(marks, mark, edited(mark, { melodyAt })))}
                />
              )}
            </MarkRow>
          ))}
        </ol>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          ref={button}
          icon={<Flag aria-hidden="true" />}
          disabled={isDisabled || (!isOpen && marks.length >= MARKS_MAX)}
          onClick={marking.mark}
        >
          {isOpen ? 'End the stretch here' : 'Mark this moment'}
          {shortcut && (
            <kbd aria-hidden="true" className="text-xs font-normal text-soft max-lg:hidden">
              {shortcut}
            </kbd>
          )}
        </Button>
      </div>
      <Announce text={marking.said} />
    </div>
  );
}

/** Focuses the words of a mark that was just set; playback continues. */
function useFocusOnTheNew(list: RefObject<HTMLElement | null>, openKey: number | null) {
  const last = useRef<number | null>(null);
  useEffect(() => {
    if (openKey !== null && openKey !== last.current)
      list.current
        ?.querySelector<HTMLInputElement>(`[data-mark="${openKey}"] input`)
        ?.focus({ preventScroll: true });
    last.current = openKey;
  }, [list, openKey]);
}
