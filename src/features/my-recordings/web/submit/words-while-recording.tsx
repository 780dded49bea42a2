import { useMemo, useRef } from 'react';
import { useQuery } from '@tanstack/react-query';
import { createApiQuery } from '#web/api/query-client.ts';
import { useStore } from '#web/use-store.ts';
import type { ReadableStore } from '#web/store.ts';
import { BackToLineButton } from '#features/lyrics/web/back-to-line-button.tsx';
import { useFollowCurrentLine } from '#features/lyrics/web/use-follow-current-line.ts';
import { useCurrentPassageIndex } from '#features/lyrics/web/current-passage.ts';
import { useShownLayers } from '#features/lyrics/web/shown-layers.ts';
import { SungLines } from '#features/lyrics/web/sung-lines.tsx';
import { useTimedText } from '#features/lyrics/web/use-timed-text.ts';
import type { Melody } from '#features/melodies/contract.ts';
import type { LiveRecording } from '#features/recordings/web/recorder/live-recording.ts';
import { useLineNotes } from '#features/teaching-notes/web/use-line-notes.ts';

export type LiveTake = {
  live: ReadableStore<LiveRecording>;
  /** Position in the melody at which the recording starts, in seconds. */
  from: number;
};

/**
 * The words of the melody being recorded, as in the player. Timed lines are highlighted as the recording goes
 * on.
 */
export function WordsWhileRecording({ melody, live, from }: LiveTake & { melody: Melody }) {
  const { data } = useQuery(createApiQuery('GET /api/melodies/{id}', { params: { id: melody.id } }));
  const { verses, lines, passages, starts, present } = useTimedText(data ?? melody);
  const clock = useMemo(
    () => ({
      now: () => from + live.get().seconds,
      isPlaying: () => live.get().state === 'recording',
      subscribe: live.subscribe,
    }),
    [live, from],
  );
  const list = useRef<HTMLDivElement>(null);
  const chosen = useShownLayers(present);
  // Hides the layers that aren't sung, to save space. A line that has no sung layer shows all of its layers.
  const shown = useMemo(() => new Set([...chosen].filter((layer) => layer !== 'translation')), [chosen]);
  const notes = useLineNotes(melody.id, lines, null);
  const lit = passages[useCurrentPassageIndex(clock, passages)]?.index ?? -1;
  const { hasLeft, resume } = useFollowCurrentLine(
    list,
    clock,
    lit,
    `${[...shown].join(' ')} ${notes !== null}`,
  );
  const isOn = useStore(live).state === 'recording';
  return (
    <section
      tabIndex={0}
      aria-label={`Words of ${melody.title}`}
      className="min-h-0 grow overflow-y-auto overscroll-contain rounded-md"
    >
      <div className="practice-words mx-auto max-w-225" {...(!isOn && { 'data-paused': '' })}>
        <SungLines {...{ verses, shown, starts, currentIndex: lit, notes }} listRef={list} isSilent />
        {hasLeft && <BackToLineButton onPress={resume} />}
      </div>
    </section>
  );
}
