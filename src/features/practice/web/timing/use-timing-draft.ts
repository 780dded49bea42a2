import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { callApi } from '#web/api/call.ts';
import { useFormDraft } from '#web/drafts/use-form-draft.ts';
import type { LineTiming, MelodyDetail } from '#features/melodies/contract.ts';
import { parseSungLines } from '#features/lyrics/parse.ts';
import { startTapping, type TappingState } from '#features/lyrics/tapping.ts';
import { toLineStarts, toLineTimings } from '#features/lyrics/timings.ts';

/**
 * Manages a melody's line times while the teacher edits them, and stores them on the device until they are
 * saved.
 */
export function useTimingDraft(melody: MelodyDetail) {
  // A melody without words can get its words from an LRC file.
  const isWithoutText = !melody.melodyText?.trim();
  const [saved, setSaved] = useState(() => getSavedTimes(melody));
  const draft = useFormDraft<Timing>({
    name: `timing of melody ${melody.id}`,
    restore(kept) {
      const known = parseStoredTimes(kept, melody);
      return createTiming(
        known ?? { text: melody.melodyText ?? '', timings: melody.timings },
        known !== null,
      );
    },
    toStored(timing) {
      const times = toTimes(timing);
      return isSame(times, saved) ? null : times;
    },
  });
  const { text, tapping, isFromDraft } = draft.value;
  const lines = useMemo(() => parseSungLines(text), [text]);
  const timings = useMemo(() => toLineTimings(lines, tapping.passages), [lines, tapping.passages]);

  const save = useMutation({
    mutationFn: (given: Times) =>
      callApi('PUT /api/melodies/{id}', {
        params: { id: melody.id },
        form: {
          timings: JSON.stringify(given.timings),
          ...(given.text !== saved.text && { melodyText: given.text }),
        },
      }),
    meta: { refreshes: ['/api/melodies'] },
    onSuccess: (_, given) => {
      setSaved(given);
      const latest = draft.latest();
      draft.change({ ...latest, isFromDraft: false });
      // Keeps the draft if the teacher changed the times again during the save.
      if (isSame(toTimes(latest), given)) draft.forget();
    },
  });

  /** Changes the line times. `nextText` is the text that the new times belong to. */
  const change = (next: TappingState, nextText = text) => {
    if (next === tapping && nextText === text) return;
    save.reset();
    draft.change({ text: nextText, tapping: next, isFromDraft });
  };
  const discard = () => {
    save.reset();
    draft.change(createTiming(saved, false));
  };

  return {
    text,
    lines,
    tapping,
    change,
    discard,
    save,
    /** The times to save, with the text that they belong to. */
    timesToSave: { text, timings },
    isWithoutText,
    isFromDraft,
    isUnsaved: !isSame({ text, timings }, saved),
  };
}

/** Times and the text that they belong to. */
type Times = { text: string; timings: LineTiming[] };
type Timing = { text: string; tapping: TappingState; isFromDraft: boolean };

const createTiming = (
  { text, timings }: { text: string; timings: LineTiming[] | null },
  isFromDraft: boolean,
): Timing => ({
  text,
  tapping: startTapping(toLineStarts(parseSungLines(text), timings)),
  isFromDraft,
});

const toTimes = ({ text, tapping }: Timing): Times => ({
  text,
  timings: toLineTimings(parseSungLines(text), tapping.passages),
});

/**
 * Returns the times stored on the device; null if there are none, or if they are for a text that differs from
 * the melody's. If the melody has no text, accepts times for any text.
 */
function parseStoredTimes(kept: object | null, { melodyText }: MelodyDetail): Times | null {
  const { text, timings }: Partial<Times> = kept && typeof kept === 'object' ? kept : {};
  const isOfText = text === melodyText || !melodyText?.trim();
  return text !== undefined && isOfText && Array.isArray(timings) ? { text, timings } : null;
}

function getSavedTimes({ melodyText, timings }: MelodyDetail) {
  const lines = parseSungLines(melodyText ?? '');
  return { text: melodyText ?? '', timings: toLineTimings(lines, toLineStarts(lines, timings)) };
}

/** Compares times regardless of order: the server sorts them by line, the editor by time. */
function isSame(one: Times, other: Times) {
  const startOf = new Map(other.timings.map(({ line, start }) => [line, start]));
  return (
    one.text === other.text &&
    one.timings.length === other.timings.length &&
    one.timings.every(({ line, start }) => startOf.get(line) === start)
  );
}
