import { useMemo, useRef, useState } from 'react';
import { type LrcLine, matchLrc, parseLrc, convertLrcToText, checkLrcLimits } from '#features/lyrics/lrc.ts';
import { parseSungLines } from '#features/lyrics/parse.ts';
import { toLineTimings } from '#features/lyrics/timings.ts';
import {
  type LrcOutcomeMessage,
  LRC_WITHOUT_TIMES_MESSAGE,
  describeLrcOutcome,
  readLrcFile,
} from '#features/lyrics/web/read-lrc.ts';

/**
 * Manages an LRC file whose times are saved with a melody. The times are matched to the words in the form. If
 * there are no words, the words of the file are used.
 */
export function useChosenLrc(text: string, onWords: (words: string) => void) {
  const [chosen, setChosen] = useState<{ file: File; lines: LrcLine[] } | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const last = useRef<File | null>(null);
  const matched = useMemo(() => chosen && matchTimes(text, chosen.lines), [text, chosen]);

  const choose = async (file: File | null) => {
    last.current = file;
    setRefusal(null);
    setChosen(null);
    if (!file) return;
    const read = await readLrcFile(file);
    if (last.current !== file) return;
    if ('refusal' in read) return setRefusal(read.refusal);
    const lines = parseLrc(read.text);
    if (lines.length === 0) return setRefusal(LRC_WITHOUT_TIMES_MESSAGE);
    if (text.trim() === '') onWords(convertLrcToText(lines));
    setChosen({ file, lines });
  };
  return {
    file: chosen?.file ?? null,
    refusal: refusal ?? matched?.refusal ?? null,
    outcome: matched?.outcome ?? null,
    /** Null if no file was chosen, or none of its times can be used. */
    timings: matched?.timings ?? null,
    choose: (file: File | null) => void choose(file),
  };
}

export type ChosenLrc = ReturnType<typeof useChosenLrc>;

function matchTimes(text: string, lrc: readonly LrcLine[]) {
  const lines = parseSungLines(text);
  const { passages, timedCount, unmatchedWords } = matchLrc(lrc, lines);
  const refusal = checkLrcLimits(text, passages);
  const outcome: LrcOutcomeMessage = describeLrcOutcome(timedCount, lines.length, unmatchedWords);
  return {
    refusal,
    outcome: refusal ? null : outcome,
    timings: refusal || timedCount === 0 ? null : toLineTimings(lines, passages),
  };
}
