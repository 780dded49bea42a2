import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { type MouseEvent, useId, useRef, useState } from 'react';
import { type CallError, getErrorMessage } from '#web/api/call.ts';
import { ScreenReaderAnnouncement } from '#web/ui/announcement.tsx';
import { useFocusAfterRemoval } from '#web/ui/use-focus-after-removal.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import type { TodaysMelody } from '../contract.ts';
import { MAX_REPETITIONS_PER_MELODY } from '../limits.ts';
import { moveId } from '../todays-list.ts';
import {
  reorderTodaysList,
  addToTodaysList,
  removeFromTodaysList,
  TODAYS_LIST_FAILED_MESSAGE,
} from './chosen-lists.ts';

/** Editor for the entries of today's list, their order and repetitions. Saves each change immediately. */
export function TodaysListEditor({ list }: { list: readonly TodaysMelody[] }) {
  const [failure, setFailure] = useState<CallError | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const items = useRef<HTMLUListElement>(null);
  const ids = list.map(({ melodyId }) => melodyId);
  useFocusAfterRemoval(items, ids);
  const change = (changed: Promise<CallError | null>) => void changed.then(setFailure);
  const move = (
    { currentTarget }: MouseEvent<HTMLElement>,
    { melodyId, title }: TodaysMelody,
    by: number,
  ) => {
    const next = moveId(ids, melodyId, by);
    change(reorderTodaysList(next));
    setAnnouncement(`${title} is now ${next.indexOf(melodyId) + 1} of ${next.length}`);
    // Restores the focus, which the button can lose when its row moves in the DOM.
    setTimeout(() => currentTarget.isConnected && currentTarget.focus());
  };
  return (
    <>
      {failure && (
        <Notice tone="danger" title={TODAYS_LIST_FAILED_MESSAGE} className="m-3">
          {getErrorMessage(failure, 'Please try again.')}
        </Notice>
      )}
      <ul ref={items} className="divide-y divide-line">
        {list.map((melody, index) => (
          <li key={melody.melodyId} className="flex flex-wrap items-center gap-x-1 py-2 ps-4 pe-1.5">
            <span
              {...getLangProps(melody.title)}
              className="min-w-0 grow basis-full font-serif wrap-anywhere sm:basis-40"
            >
              {melody.title}
            </span>
            <TimesField melody={melody} onChange={(times) => change(addToTodaysList({ ...melody, times }))} />
            <IconButton
              label={`Move ${melody.title} up`}
              icon={<ArrowUp />}
              isInactive={index === 0}
              onClick={(event) => move(event, melody, -1)}
              className="ms-auto"
            />
            <IconButton
              label={`Move ${melody.title} down`}
              icon={<ArrowDown />}
              isInactive={index === list.length - 1}
              onClick={(event) => move(event, melody, 1)}
            />
            <IconButton
              label={`Remove ${melody.title} from the list`}
              data-item={melody.melodyId}
              icon={<X />}
              onClick={() => change(removeFromTodaysList(melody.melodyId))}
            />
          </li>
        ))}
      </ul>
      <ScreenReaderAnnouncement text={announcement} />
    </>
  );
}

type TimesFieldProps = { melody: TodaysMelody; onChange: (times: number) => void };

/**
 * Field for how often to sing a melody. Saves the number on blur or Enter, or restores the previous number if
 * the input is out of range.
 */
function TimesField({ melody: { title, times }, onChange }: TimesFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const range = useId();
  const requestedTimes = typed === null ? times : /^\d{1,3}$/.test(typed) ? Number(typed) : 0;
  const isInRange = requestedTimes >= 1 && requestedTimes <= MAX_REPETITIONS_PER_MELODY;
  const commit = () => {
    setTyped(null);
    if (isInRange && requestedTimes !== times) onChange(requestedTimes);
  };
  return (
    <label className="flex flex-wrap items-center gap-2 text-sm text-soft">
      <input
        inputMode="numeric"
        aria-label={`How many times: ${title}`}
        aria-invalid={!isInRange}
        aria-describedby={isInRange ? undefined : range}
        maxLength={3}
        value={typed ?? String(times)}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={commit}
        onKeyDown={({ key }) => key === 'Enter' && commit()}
        className="h-11 w-16 rounded-md border border-edge bg-surface px-2 text-center text-base text-ink"
      />
      {requestedTimes === 1 ? 'time' : 'times'}
      {!isInRange && (
        <span id={range} role="alert" className="text-danger">
          Please enter 1 to {MAX_REPETITIONS_PER_MELODY}.
        </span>
      )}
    </label>
  );
}
