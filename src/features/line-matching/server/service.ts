import type { Db } from '#server/db/database.ts';
import { type BodyOf, nothingLeft } from '#shared/body.ts';
import { badInput, conflict, notFound } from '#shared/errors.ts';
import type { Caller } from '#server/auth/sessions.ts';
import { sungLinesOf } from '#features/lyrics/parse.ts';
import type { RecordingLines, recordingLinesApi } from '../contract.ts';
import { begunAt, roomOf } from '../correction.ts';
import { SURE } from '../limits.ts';
import { type SungOtherwise, sungOtherwise } from '../line-deviations.ts';
import { tellOfLines } from './news.ts';
import * as store from './store.ts';

export type RecordingLinesService = ReturnType<typeof recordingLinesService>;

/** What the page says of a line's beginning went through JSON. */
const SAME_SECONDS = 0.001;

export function recordingLinesService({ db }: { db: Db }) {
  return {
    /** Has the lines of a recording found once the transaction has committed, if its melody has timings and audio. */
    queueRecording: store.queueRecording,

    /** Has those of all recordings of a melody found again, after its timings or its audio have changed. */
    queueOfMelody: store.queueOfMelody,

    /**
     * None for who may not hear the melody any more: they tell how it is built.
     * @throws AppError 'not-found' also for another student's recording
     */
    async ofRecording(
      caller: Pick<Caller, 'id' | 'role' | 'receivedLevels'>,
      recordingId: number,
    ): Promise<RecordingLines> {
      const isAdmin = caller.role === 'admin';
      const found = await store.findState(db, recordingId, isAdmin ? null : caller.id);
      if (!found) throw notFound('Recording not found.');
      const mayHear = isAdmin || caller.receivedLevels.includes(found.levelId ?? 0);
      if (!found.isTimed || !mayHear) return { state: 'none', lines: [] };
      if (found.isQueued || !found.lines) return { state: found.isQueued ? 'working' : 'none', lines: [] };
      const isReady = found.lines.some(({ sure }) => sure >= SURE);
      return isReady ? { state: 'ready', lines: found.lines } : { state: 'unsure', lines: [] };
    },

    /** After an edit of the melody's text, and after the queue. @param still where each line is now; null for one that is gone */
    moveLines: store.moveLines,

    /**
     * Says where a line begins in a recording. It is sure from then on, whenever the lines are found again.
     * @throws AppError 'not-found', 'conflict' if the line does not begin at `was`, 'bad-input' beyond its neighbours
     */
    correct: (recordingId: number, { line, was, start, ...rest }: BodyOf<typeof recordingLinesApi.correct>) =>
      db.transaction(async (tx) => {
        nothingLeft(rest);
        const found = await store.lockLines(tx, recordingId);
        if (!found) throw notFound('Recording not found.');
        const { lines, seconds } = found;
        const at = lines.findIndex((each) => each.line === line && Math.abs(each.start - was) < SAME_SECONDS);
        if (at < 0) throw conflict(MEANWHILE);
        const room = roomOf(lines, at, seconds);
        if (start < room.from || start > room.to)
          throw badInput(BEYOND, [{ path: 'start', message: BEYOND }]);
        await store.saveLines(tx, recordingId, begunAt(lines, at, start, seconds));
        await tellOfLines(tx, recordingId);
      }),

    /** Of these recordings, those in which lines were left out or sung again, with their numbers in the melody from 1. */
    async sungOtherwise(recordingIds: readonly number[]): Promise<Map<number, SungOtherwise>> {
      const found = (await store.listFound(db, recordingIds)).flatMap((each) => {
        const { leftOut, repeated } = sungOtherwise(each.lines, each.timings);
        return leftOut.length + repeated.length > 0 ? [{ ...each, leftOut, repeated }] : [];
      });
      const texts = await store.listTexts(db, [...new Set(found.map(({ melodyId }) => melodyId))]);
      return new Map(
        found.map(({ recordingId, melodyId, leftOut, repeated }) => {
          const numberOf = numbersOf(texts.get(melodyId) ?? '');
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

const MEANWHILE = 'This line was corrected or found anew meanwhile. Please look again.';
const BEYOND = 'A line begins after the line before it, and before the next one.';

/** The number of each sung line, from 1, by the typed lines of its layers. */
const numbersOf = (melodyText: string) =>
  new Map(
    sungLinesOf(melodyText).flatMap(({ index, parts }) =>
      parts.map(({ line }) => [line, index + 1] as const),
    ),
  );
