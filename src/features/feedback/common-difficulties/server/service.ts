import type { Db } from '#server/db/database.ts';
import type { Clock } from '#server/clock.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { MelodiesService } from '#features/melodies/server/service.ts';
import { parseSungLines, getLineWords } from '#features/lyrics/parse.ts';
import { toLineStarts } from '#features/lyrics/timings.ts';
import type { MarkedLine } from '../contract.ts';
import { MAX_MARK_AGE_MONTHS } from '../limits.ts';
import * as store from './store.ts';

export type MarksByLineService = ReturnType<typeof createMarksByLineService>;

type Viewer = Pick<Caller, 'id' | 'role'>;

/**
 * Creates the service for common difficulties, which counts the marks in recent feedback by line of the melody.
 * Only teachers may use it.
 */
export function createMarksByLineService({
  db,
  melodies,
  clock,
}: {
  db: Db;
  melodies: MelodiesService;
  clock: Clock;
}) {
  /** @throws AppError 'not-found' */
  async function loadLines(melodyId: number, viewer: Viewer) {
    const melody = await melodies.get(viewer, melodyId);
    const lines = parseSungLines(melody.melodyText ?? '');
    const passages = melody.audioUrl ? toLineStarts(lines, melody.timings) : [];
    const since = new Date(clock());
    since.setUTCMonth(since.getUTCMonth() - MAX_MARK_AGE_MONTHS);
    const placed: store.MarksByLineParams = {
      melodyId,
      since,
      starts: passages.map(({ start }) => start),
      // The duration is in whole seconds, so the audio may be up to a second longer.
      end: (melody.duration ?? 0) + 1,
      places: passages.flatMap(({ index }, at) =>
        lines[index]!.parts.map(({ line }) => ({ line, place: at + 1 })),
      ),
    };
    return { lines, passages, placed };
  }

  return {
    /** @throws AppError 'not-found' */
    async countByLine(melodyId: number, viewer: Viewer) {
      const { lines, passages, placed } = await loadLines(melodyId, viewer);
      const counts = await store.countMarksByLine(db, placed);
      const marked = counts.flatMap(({ place, marks, students }): MarkedLine[] => {
        const passage = passages[place - 1];
        if (!passage) return [];
        return [{ number: passage.index + 1, words: getLineWords(lines[passage.index]!), marks, students }];
      });
      return {
        lines: marked.sort((one, other) => one.number - other.number),
        elsewhere: counts.find(({ place }) => place === 0)?.marks ?? 0,
      };
    },

    /** @throws AppError 'not-found' */
    async listFeedback(
      melodyId: number,
      { line, before }: { line?: number | undefined; before?: number | undefined },
      viewer: Viewer,
    ) {
      const { passages, placed } = await loadLines(melodyId, viewer);
      // An unknown line or a line without a time is not in `passages`. Its place is -1, which matches no marks,
      // whereas 0 would match the marks that are at no line.
      const place =
        line === undefined ? null : passages.findIndex(({ index }) => index === line - 1) + 1 || -1;
      return store.listMarkedFeedback(db, placed, { place, before });
    },
  };
}
