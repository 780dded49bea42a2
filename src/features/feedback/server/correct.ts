import type { Db } from '#server/db/database.ts';
import { type BodyOf, assertExhaustive } from '#shared/body.ts';
import { createBadInputError, createNotFoundError } from '#shared/errors.ts';
import type { Clock } from '#server/clock.ts';
import type { MediaRepository } from '#server/media/media-repository.ts';
import type { StagedFile } from '#server/media/staging.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { NotificationsService } from '#features/messages/notifications/server/service.ts';
import { RetryableUploadError } from '#features/uploads/server/service.ts';
import type { feedbackApi, Mark } from '../contract.ts';
import { MISSING_FEEDBACK_MESSAGE } from '../limits.ts';
import { areMarkListsEqual, formatMarks, getSendableMarks, composeWrittenFeedback } from '../marks.ts';
import type { FeedbackSoundsService, NewSounds } from './sounds.ts';
import * as store from './store.ts';

export type FeedbackCorrection = BodyOf<typeof feedbackApi.correct>;

/** Creates the function that corrects released feedback. */
export function createFeedbackCorrector(deps: {
  db: Db;
  media: MediaRepository;
  sounds: FeedbackSoundsService;
  news: NotificationsService;
  clock: Clock;
}) {
  const { db, media, sounds, news, clock } = deps;

  /**
   * @param clientId the new idempotency key, if the correction is a reply that supersedes one sent earlier
   */
  return async function correct(
    id: number,
    { uploadId, peaks, ...correction }: FeedbackCorrection,
    audio: StagedFile | undefined,
    admin: Pick<Caller, 'id'>,
    clientId?: string,
  ) {
    const { recordingId } = await getFeedback(db, id);
    const marks = correction.marks ? getSendableMarks(correction.marks) : null;
    const replaced = await sounds.withSounds(
      { uploadId, peaks },
      audio,
      { recordingId, marks, admin },
      (added) =>
        media.saveInTransaction(added.media, (tx) =>
          saveCorrection(tx, id, { ...correction, marks }, added, clientId),
        ),
    );
    await media.removeFiles(replaced);
    return getFeedback(db, id);
  };

  /** @returns the files to remove once the transaction has committed */
  async function saveCorrection(
    tx: Db,
    id: number,
    { writtenFeedback: text, marks: newMarks, removeAudio, basedOn, ...rest }: TextCorrection,
    added: NewSounds,
    clientId: string | undefined,
  ) {
    assertExhaustive(rest);
    const before = await store.lockFeedback(tx, id);
    if (!before) throw feedbackNotFoundError();
    const marks = newMarks ?? before.marks;
    assertMarksWithinRecording(before.duration, marks);
    const wasMadeOfMarks = before.writtenFeedback === formatMarks(before.marks);
    const typed = text?.trim() ?? (wasMadeOfMarks ? '' : (before.writtenFeedback ?? ''));
    const writtenFeedback = typed || composeWrittenFeedback(marks) || null;
    const keptAudio = removeAudio === 'true' ? null : before.audioFeedbackUrl;
    const audioFeedbackUrl = added.replyName ?? keptAudio;
    if (!writtenFeedback && !audioFeedbackUrl) throw createBadInputError(MISSING_FEEDBACK_MESSAGE);
    if (
      writtenFeedback === before.writtenFeedback &&
      audioFeedbackUrl === before.audioFeedbackUrl &&
      areMarkListsEqual(marks, before.marks) &&
      added.media.length === 0
    )
      return [];
    // Checks for a newer correction only if something changes. The same correction may be sent again after its
    // response was lost, and must not fail then.
    if (wasCorrectedSince(basedOn, before)) throw new RetryableUploadError(CORRECTED_BY_SOMEONE_ELSE);
    await store.updateFeedback(tx, id, {
      writtenFeedback,
      marks,
      audioFeedbackUrl,
      correctedAt: getNextCorrectionTime(before.correctedAt, clock()),
      ...(clientId !== undefined && { clientId }),
    });
    const unnamed = await added.save(tx);
    await news.announceFeedbackCorrected(tx, before.studentId);
    return audioFeedbackUrl === before.audioFeedbackUrl
      ? unnamed
      : [...unnamed, ...(await media.deleteRows(tx, [before.audioFeedbackUrl]))];
  }
}

/** A correction without its audio. `marks` is null if the marks stay unchanged. */
type TextCorrection = Omit<FeedbackCorrection, 'uploadId' | 'peaks' | 'marks'> & { marks: Mark[] | null };

/** @throws AppError 'not-found' */
export async function getFeedback(db: Db, id: number) {
  const found = await store.findFeedback(db, id);
  if (!found) throw feedbackNotFoundError();
  return found;
}

/**
 * Checks that all marks lie within the recording and that passages end after they start. The duration is in
 * whole seconds, so a mark at the very end may exceed it by up to one second.
 * @throws AppError 'bad-input'
 */
export function assertMarksWithinRecording(seconds: number, marks: readonly Mark[]) {
  const isWithin = ({ start, end }: Mark) =>
    start <= seconds + 1 && (end === null || (end > start && end <= seconds + 1));
  if (!marks.every(isWithin)) throw createBadInputError('One comment is after the end of the recording.');
}

const wasCorrectedSince = (basedOn: FeedbackCorrection['basedOn'], present: { correctedAt: Date | null }) =>
  basedOn !== undefined && basedOn?.getTime() !== present.correctedAt?.getTime();

/** Returns a distinct time for each correction, because `basedOn` identifies a correction by its time. */
const getNextCorrectionTime = (before: Date | null, now: Date) =>
  before && before >= now ? new Date(before.getTime() + 1) : now;

export const feedbackNotFoundError = () => createNotFoundError('This feedback no longer exists');

const CORRECTED_BY_SOMEONE_ELSE = 'Someone else corrected this feedback while you were writing.';
