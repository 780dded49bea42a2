import type { UploadSlotName } from '#shared/kinds.ts';
import type { Db } from '#server/db/database.ts';
import {
  AppError,
  createBadInputError,
  createConflictError,
  createNotFoundError,
  type ErrorCode,
} from '#shared/errors.ts';
import type { UploadSlot } from '#shared/media.ts';
import type { Clock } from '#server/clock.ts';
import type { DiskSpaceMonitor } from '#server/media/disk-space.ts';
import type { InspectionProgress, MediaRepository } from '#server/media/media-repository.ts';
import type { PartialFiles } from '#server/media/partial-files.ts';
import type { StagedFile, Staging } from '#server/media/staging.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { QuotasService } from '../quotas/server/service.ts';
import {
  MAX_OPEN_UPLOAD_BYTES,
  MAX_OPEN_UPLOADS,
  MIN_UPLOAD_CHUNK_BYTES,
  MAX_IDLE_UPLOAD_DAYS,
  MAX_UPLOAD_AGE_DAYS,
  UPLOAD_EVICTION_IDLE_MINUTES,
  DEFAULT_UPLOAD_SLOTS,
} from '../limits.ts';
import * as store from './store.ts';

export type UploadsService = ReturnType<typeof createUploadsService>;

/**
 * Maximum number of uploads that `countOpen` counts. The operator's overview doesn't need exact numbers above
 * it.
 */
const MAX_COUNTED_UPLOADS = 1_000;

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * Minutes for which an upload counts as active after its last chunk. The disk must have room for all bytes of
 * all active uploads.
 */
const ACTIVE_MINUTES = 10;

/**
 * Creates the service that receives files in chunks over unreliable connections. Each upload is accessible only
 * to its owner.
 */
export function createUploadsService(deps: {
  slots: Record<UploadSlotName, UploadSlot>;
  db: Db;
  staging: Staging;
  partials: PartialFiles;
  media: Pick<MediaRepository, 'getInspectionProgress'>;
  disk: DiskSpaceMonitor;
  quotas: QuotasService;
  clock: Clock;
}) {
  const { db, slots, staging, partials, media, disk, quotas, clock } = deps;
  /** Uploads that requests in this process are using, by staged file. */
  const inUse = new Map<StagedFile, store.UploadKey>();

  /**
   * Checks that a new upload fits on the disk together with all active uploads. Without this check, the disk
   * could fill up before any of them is complete.
   * @throws AppError 'storage-full'
   */
  async function assertFitsOnDisk(size: number) {
    const since = new Date(clock().getTime() - ACTIVE_MINUTES * MINUTE_MS);
    const others = await store.sumSizesOfUploadsActiveSince(db, since);
    await disk.assertRoom(size, others);
  }

  /**
   * Starts an upload, or returns the one that a concurrent call has started. Serialized per owner, so that
   * concurrent calls can't exceed the limits on open uploads.
   */
  async function createUpload(key: store.UploadKey, announced: store.DeclaredUpload) {
    const replaced: string[] = [];
    const begun = await db.transaction(async (tx) => {
      const owner = await store.lockUploadOwner(tx, key.ownerId);
      // There is no owner if the account has just been deleted.
      if (!owner) throw new AppError('unauthorized', 'Unauthorized');
      const known = await store.findUpload(tx, key);
      if (known) return known;
      const { size } = announced;
      if (owner.role === 'student') await quotas.assertCanBegin(tx, key.ownerId, key.clientId, size);
      while (!isWithinLimits(await store.getOpenUploadTotals(tx, key.ownerId), size))
        replaced.push(await deleteIdleUpload(tx, key.ownerId));
      return store.insertUpload(tx, key, announced, clock());
    });
    for (const file of replaced) await partials.remove(file);
    return begun;
  }

  /**
   * Deletes the owner's upload that has been idle longest, so that abandoned uploads don't prevent new
   * uploads.
   * @returns the file of the deleted upload
   * @throws AppError 'too-many' if all have grown recently
   */
  async function deleteIdleUpload(tx: Db, ownerId: string): Promise<string> {
    const rests = UPLOAD_EVICTION_IDLE_MINUTES * MINUTE_MS;
    const now = clock().getTime();
    const deleted = await store.deleteLongestIdleUpload(tx, ownerId, new Date(now - rests));
    if (deleted !== null) return deleted;
    const grownAt = (await store.findLongestIdleUpload(tx, ownerId))?.grownAt.getTime() ?? now;
    throw new AppError('too-many', TOO_MANY, {
      retryAfter: Math.max(1, Math.ceil((grownAt + rests - now) / 1000)),
    });
  }

  async function cancel(ownerId: string, uploadId: string | undefined): Promise<void> {
    if (!uploadId) return;
    const file = await store.deleteUpload(db, { ownerId, clientId: uploadId });
    if (file !== null) await partials.remove(file);
  }

  const writeWithSpace = <T>(bytes: Buffer, write: (tx: Db) => Promise<T>) =>
    disk.withReservedRoom(bytes.length, () => db.transaction(write));

  return {
    /**
     * Starts an upload, or finds the existing one. If the owner has too many open uploads, deletes those that
     * have been idle longest, provided that they have been idle long enough.
     * @param announced `slot` defaults to the usual slot of the caller's role
     * @returns the number of bytes that are durable
     * @throws AppError 'forbidden' (another role's slot), 'too-large', 'conflict' (started with another size
     * or slot), 'too-many' (open uploads, or the student's quota is used up), 'storage-full', 'unauthorized'
     * (the account has just been deleted)
     */
    async begin(
      caller: Pick<Caller, 'id' | 'role'>,
      clientId: string,
      announced: { size: number; slot?: UploadSlotName | undefined },
    ): Promise<number> {
      const { size, slot = DEFAULT_UPLOAD_SLOTS[caller.role] } = announced;
      const { sentBy, tooLargeFrom, tooLargeMessage } = slots[slot];
      if (sentBy !== caller.role) throw new AppError('forbidden', 'Forbidden');
      if (size >= tooLargeFrom) throw new AppError('too-large', tooLargeMessage);
      const key = { ownerId: caller.id, clientId };
      let found = await store.findUpload(db, key);
      if (!found) {
        await assertFitsOnDisk(size);
        found = await createUpload(key, { size, slot });
      }
      if (found.size !== size)
        throw createConflictError('This upload was started with a file of a different size.');
      if (found.slot !== slot) throw createConflictError(OTHER_SLOT);
      const { received, file } = found;
      if (received === 0 || (await partials.sizeOf(file)) >= received) return received;
      // The file is missing or too short, for example after restoring an older backup. The upload starts
      // again from 0, because the device still has the whole file.
      await store.resetUpload(db, key, file);
      return 0;
    },

    /**
     * Adds a chunk, which is durable when this resolves. A chunk that was received before changes nothing.
     * @returns the number of bytes of the file that are durable
     * @throws AppError 'not-found', 'conflict' (an earlier chunk is missing), 'too-large', 'bad-input' (too
     * small), 'storage-full'
     */
    append: (key: store.UploadKey, start: number, bytes: Buffer): Promise<number> =>
      writeWithSpace(bytes, async (tx) => {
        const upload = await store.lockUpload(tx, key);
        if (!upload) throw uploadNotFound();
        const end = start + bytes.length;
        if (end > upload.size)
          throw new AppError(
            'too-large',
            'This file is larger than when the upload started. Please send it again.',
          );
        if (end <= upload.received) return upload.received;
        if (start !== upload.received)
          throw createConflictError('An earlier part of this file is missing. Please send the file again.');
        if (bytes.length < MIN_UPLOAD_CHUNK_BYTES && end < upload.size)
          throw createBadInputError(CHUNK_TOO_SMALL);
        // The row lock ensures that no other request writes to the file.
        if (!(await partials.write(upload.file, start, bytes)))
          throw createConflictError('An earlier part of this file is missing. Please send the file again.');
        await store.setReceivedBytes(tx, key, end, clock());
        return end;
      }),

    /**
     * Passes the file of a request to `use`: the file sent with the request, the upload that the request
     * refers to, or null. The staged copy of an upload is discarded when `use` ends, successfully or not.
     * @param use must call `take` in the transaction that stores the file: of two concurrent requests for the
     * same upload, only one gets it
     * @throws AppError 'conflict' if the upload is incomplete, was started for another slot, or was claimed
     * by another request; 'storage-full'
     */
    async withFile<T>(
      { ownerId, file: sent, uploadId }: SentFile,
      slot: UploadSlot,
      use: (file: StagedFile | null, take: DeleteClaimedUpload) => Promise<T>,
    ): Promise<T> {
      if (sent || !uploadId) return use(sent ?? null, () => Promise.resolve());
      const key = { ownerId, clientId: uploadId };
      const upload = await store.findUpload(db, key);
      if (!upload || upload.received < upload.size)
        throw new RetryableUploadError('Only part of the file has arrived. Please send the rest.');
      if (upload.slot !== slot.name) throw new RetryableUploadError(OTHER_SLOT);
      const file = await partials.stage(upload.file, upload.size);
      // There is no file if another request has just used or deleted the upload.
      if (!file) throw uploadGone();
      inUse.set(file, key);
      try {
        const used = await use(file, async (tx) => {
          if ((await store.deleteUpload(tx, key)) !== upload.file) throw uploadGone();
        });
        // Removes the file even if `use` has not claimed the upload. In this case, the next request for the
        // upload finds its file missing, and the device sends the file again.
        await partials.remove(upload.file);
        return used;
      } finally {
        inUse.delete(file);
        await staging.discard(file);
      }
    },

    /**
     * Returns the progress of inspecting the audio of an upload in this process; null if no such inspection
     * is waiting or running here. If two requests refer to the same upload, for example after a lost
     * response, prefers the inspection that is already running.
     */
    getInspectionProgress(key: store.UploadKey): InspectionProgress | null {
      const all = [...inUse]
        .filter(([, { ownerId, clientId }]) => ownerId === key.ownerId && clientId === key.clientId)
        .map(([file]) => media.getInspectionProgress(file));
      return all.find((one) => one?.step === 'running') ?? all.find((one) => one !== null) ?? null;
    },

    /**
     * Runs a request that may use an uploaded file. Once the request has succeeded or been permanently
     * rejected, deletes the upload, so that it no longer counts as open.
     * @param uploadId the upload that the request refers to, if any
     */
    async settle<T>(ownerId: string, uploadId: string | undefined, commit: () => Promise<T>): Promise<T> {
      try {
        const done = await commit();
        await cancel(ownerId, uploadId);
        return done;
      } catch (error) {
        if (isPermanent(error)) await cancel(ownerId, uploadId);
        throw error;
      }
    },

    cancel,

    /**
     * Counts the open uploads of all users, up to `MAX_COUNTED_UPLOADS`, and their received bytes, for the
     * operator's overview.
     */
    countOpen: async () => ({
      ...(await store.getAllUploadTotals(db, MAX_COUNTED_UPLOADS)),
      most: MAX_COUNTED_UPLOADS,
    }),

    /**
     * Deletes uploads that have stopped growing or are too old, and files without an upload, left behind by a
     * crash or by the deletion of a user.
     */
    deleteOld: async (): Promise<void> => {
      const daysAgo = (days: number) => new Date(clock().getTime() - days * DAY_MS);
      await store.deleteStaleUploads(db, {
        idleSince: daysAgo(MAX_IDLE_UPLOAD_DAYS),
        createdBefore: daysAgo(MAX_UPLOAD_AGE_DAYS),
      });
      const files = await partials.list();
      const known = await store.filterUploadFiles(db, files);
      for (const file of files) if (!known.has(file)) await partials.remove(file);
    },
  };
}

/** The file of a request: sent with the request, or uploaded earlier by the same user. */
type SentFile = { ownerId: string; file: StagedFile | undefined; uploadId: string | undefined };

/**
 * Deletes the upload within a transaction.
 * @throws AppError 'conflict' if the upload no longer exists
 */
export type DeleteClaimedUpload = (tx: Db) => Promise<void>;

/** A conflict that leaves the upload in place, so that a later request can refer to it again. */
export class RetryableUploadError extends AppError {
  constructor(message: string) {
    super('conflict', message);
  }
}

const PERMANENT_ERRORS = new Set<ErrorCode>([
  'bad-input',
  'not-found',
  'conflict',
  'too-large',
  'unsupported-media',
]);
const isPermanent = (error: unknown) =>
  error instanceof AppError && PERMANENT_ERRORS.has(error.code) && !(error instanceof RetryableUploadError);

const isWithinLimits = (open: { count: number; bytes: number }, size: number) =>
  open.count < MAX_OPEN_UPLOADS && open.bytes + size <= MAX_OPEN_UPLOAD_BYTES;

const OTHER_SLOT = 'This upload was started for another purpose. Please send the file again.';
const TOO_MANY = 'Too many files are being sent. Please wait until some have arrived.';
const CHUNK_TOO_SMALL = `A chunk must have at least ${MIN_UPLOAD_CHUNK_BYTES.toLocaleString('en')} bytes, unless it is the last.`;

const uploadNotFound = () => createNotFoundError('This upload no longer exists. Please send the file again.');
const uploadGone = () =>
  new RetryableUploadError('The file is no longer complete on the server. Please send it again.');
