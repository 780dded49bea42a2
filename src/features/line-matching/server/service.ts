import type { Db } from '#server/db/database.ts';
import { type BodyOf, assertExhaustive } from '#shared/body.ts';
import { createBadInputError, createConflictError, createNotFoundError } from '#shared/errors.ts';
import type { Caller } from '#server/auth/sessions.ts';
import { parseSungLines } from '#features/lyrics/parse.ts';
import type { RecordingLines, recordingLinesApi } from '../contract.ts';
import { moveLineStart, getLineStartRange } from '../correction.ts';
import { MIN_LINE_CONFIDENCE } from '../limits.ts';
import { type LineDeviations, findLineDeviations } from '../line-deviations.ts';
import { announceLinesChange } from './announce-lines-change.ts';
import * as store from './store.ts';

export type RecordingLinesService = ReturnType<typeof createRecordingLinesService>;

/** Tolerance for comparing a line's start with `was`, which went to the page and back as JSON. */
const START_TOLERANCE_SECONDS = 0.001;

export function createRecordingLinesService({ db }: { db: Db }) {
  return {
    /**
     * Queues a search for the lines of a recording, if its melody has timings and audio. The search runs after
     * the transaction has committed.
     */
    queueRecording: store.queueLineSearch,

    /** Queues a new search in all recordings of a melody, after its timings or its audio have changed. */
    queueRecordingsOfMelody: store.queueLineSearchesOfMelody,

    /**
     * Returns the lines of a recording. A student who may no longer hear the melody gets no lines, because they
     * would reveal how the melody is built.
     * @throws AppError 'not-found', also for another student's recording
     */
    async getByRecording(
      caller: Pick<Caller, 'id' | 'role' | 'receivedLevels'>,
      recordingId: number,
    ): Promise<RecordingLines> {
      const isAdmin = caller.role === 'admin';
      const found = await store.findLinesState(db, recordingId, isAdmin ? null : caller.id);
      if (!found) throw createNotFoundError('Recording not found.');
      const canHear = isAdmin || caller.receivedLevels.includes(found.levelId ?? 0);
      if (!found.isTimed || !canHear) return { state: 'none', lines: [] };
      if (found.isQueued || !found.lines) return { state: found.isQueued ? 'working' : 'none', lines: [] };
      const isReady = found.lines.some(({ sure }) => sure >= MIN_LINE_CONFIDENCE);
      return isReady ? { state: 'ready', lines: found.lines } : { state: 'unsure', lines: [] };
    },

    /**
     * Renumbers lines after the melody's text has been edited. Call it after `queueRecordingsOfMelody`.
     * @param newNumbers the new number of each line; null for a deleted line
     */
    renumberLines: store.renumberRecordingLines,

    /**
     * Corrects where a line begins in a recording. The corrected line counts as certain, and the correction is
     * kept when the lines are found again.
     * @throws AppError 'not-found'; 'conflict' if the line does not begin at `was`; 'bad-input' if `start` is
     * not between the neighbouring lines
     */
    correct: (recordingId: number, { line, was, start, ...rest }: BodyOf<typeof recordingLinesApi.correct>) =>
      db.transaction(async (tx) => {
        assertExhaustive(rest);
        const found = await store.lockLines(tx, recordingId);
        if (!found) throw createNotFoundError('Recording not found.');
        const { lines, seconds } = found;
        const at = lines.findIndex(
          (each) => each.line === line && Math.abs(each.start - was) < START_TOLERANCE_SECONDS,
        );
        if (at < 0) throw createConflictError(LINE_HAS_CHANGED);
        const room = getLineStartRange(lines, at, seconds);
        if (start < room.from || start > room.to)
          throw createBadInputError(START_OUT_OF_RANGE, [{ path: 'start', message: START_OUT_OF_RANGE }]);
        await store.saveLines(tx, recordingId, moveLineStart(lines, at, start, seconds));
        await announceLinesChange(tx, recordingId);
      }),

    /**
     * Returns the recordings in which lines were left out or repeated, with the lines' numbers in the melody,
     * from 1.
     */
    async findLineDeviations(recordingIds: readonly number[]): Promise<Map<number, LineDeviations>> {
      const found = (await store.listFoundLines(db, recordingIds)).flatMap((each) => {
        const { leftOut, repeated } = findLineDeviations(each.lines, each.timings);
        return leftOut.length + repeated.length > 0 ? [{ ...each, leftOut, repeated }] : [];
      });
      const texts = await store.listMelodyTexts(db, [...new Set(found.map(({ melodyId }) => melodyId))]);
      return new Map(
        found.map(({ recordingId, melodyId, leftOut, repeated }) => {
          const numberOf = mapLineNumbers(texts.get(melodyId) ?? '');
          return [
            recordingId,
            {
              leftOut: leftOut.flatMap((line) => numberOf.get(line) ?? []),
              repeated: repeated.flatMap(({ line, times }) => {
                const number = numberOf.get(line);
                return number === undefined ? [] : [{ line: number, times }];
              }),
            },
          ];
        }),
      );
    },
  };
}

const LINE_HAS_CHANGED = 'This line has changed. Please check it again.';
const START_OUT_OF_RANGE = 'A line can’t start before the previous line or after the next line.';

/** Maps each typed line of the melody's text to the number of its sung line, from 1. */
const mapLineNumbers = (melodyText: string) =>
  new Map(
    parseSungLines(melodyText).flatMap(({ index, parts }) =>
      parts.map(({ line }) => [line, index + 1] as const),
    ),
  );
