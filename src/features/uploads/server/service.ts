import { Readable } from 'node:stream';
import type { Db } from '../../../db/database.ts';
import { AppError, badInput, conflict, notFound, type ErrorCode } from '../../../platform/contract/errors.ts';
import type { UploadSlot } from '../../../platform/contract/media.ts';
import type { Clock } from '../../../platform/server/clock.ts';
import type { DiskSpace } from '../../../platform/server/media/disk-space.ts';
import type { StagedFile, Staging } from '../../../platform/server/media/staging.ts';
import type { Caller } from '../../../platform/server/sessions.ts';
import type { QuotasService } from '../../quotas/server/service.ts';
import {
  OPEN_UPLOADS_BYTES_MAX,
  OPEN_UPLOADS_MAX,
  CHUNK_MIN,
  UPLOAD_DAYS,
  UPLOAD_DAYS_AT_MOST,
  UPLOAD_RESTS_FOR_MINUTES,
  uploadSlots,
  USUAL_SLOT,
  type SlotName,
} from '../limits.ts';
import * as store from './store.ts';

export type UploadsService = ReturnType<typeof uploadsService>;

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A chunk is written twice, into its table and into the database's log; a whole file once more, as a file. */
const COPIES = 2;

/** An upload that has grown since so long is expected to need the rest of its room soon. */
const UNDER_WAY_MINUTES = 10;

/** Files that come in chunks over a connection that breaks, each its owner's alone. */
export function uploadsService(deps: {
  db: Db;
  staging: Staging;
  disk: DiskSpace;
  quotas: QuotasService;
  clock: Clock;
}) {
  const { db, staging, disk, quotas, clock } = deps;

  /** Half of many uploads would fill the disk and complete none of them: a new one has to fit beside the others. */
  async function mustFitBesideOthers(size: number) {
    const since = new Date(clock().getTime() - UNDER_WAY_MINUTES * MINUTE_MS);
    const others = await store.sizeOfAllGrownSince(db, since);
    await disk.mustHaveRoom(COPIES * size, COPIES * others);
  }

  /** Those of one owner are begun one after the other, so that no more come than may be under way. */
  const beginNew = (key: store.UploadKey, announced: store.Announced) =>
    db.transaction(async (tx) => {
      const owner = await store.holdOwner(tx, key.ownerId);
      // The account was deleted in between.
      if (!owner) throw new AppError('unauthorized', 'Unauthorized');
      const known = await store.findUpload(tx, key);
      if (known) return known;
      const { size } = announced;
      if (owner.role === 'student') await quotas.mayBegin(tx, key.ownerId, key.clientId, size);
      while (!fits(await store.sumOfUploads(tx, key.ownerId), size)) await makeRoom(tx, key.ownerId);
      await store.insertUpload(tx, key, announced, clock());
      return { ...announced, received: 0 };
    });

  /** What nobody came back for must not lock its owner out. @throws AppError 'too-many' where all have grown lately */
  async function makeRoom(tx: Db, ownerId: string) {
    const rests = UPLOAD_RESTS_FOR_MINUTES * MINUTE_MS;
    const now = clock().getTime();
    if (await store.deleteLongestAtRest(tx, ownerId, new Date(now - rests))) return;
    const grownAt = (await store.longestAtRest(tx, ownerId))?.grownAt.getTime() ?? now;
    throw new AppError('too-many', TOO_MANY, {
      retryAfter: Math.max(1, Math.ceil((grownAt + rests - now) / 1000)),
    });
  }

  async function giveUp(ownerId: string, uploadId: string | undefined): Promise<void> {
    if (uploadId) await store.deleteUpload(db, { ownerId, clientId: uploadId });
  }

  const roomFor = <T>(bytes: Buffer, write: (tx: Db) => Promise<T>) =>
    disk.withRoomFor(COPIES * bytes.length, () => db.transaction(write));

  return {
    /**
     * Begins an upload, or finds the one that is under way. Where too many are, the owner's that has not grown for
     * longest gives way, if it has rested long enough.
     * @param announced without a slot: the usual one of the caller's role
     * @returns how many bytes of it are durable
     * @throws AppError 'forbidden' (another role's slot), 'too-large', 'conflict' (another size or slot before),
     *   'too-many' (under way, or a student's quota is used up), 'storage-full'
     */
    async begin(
      caller: Pick<Caller, 'id' | 'role'>,
      clientId: string,
      announced: { size: number; slot?: SlotName | undefined },
    ): Promise<number> {
      const { size, slot = USUAL_SLOT[caller.role] } = announced;
      const { sentBy, tooLargeFrom, tooLargeMessage } = uploadSlots[slot];
      if (sentBy !== caller.role) throw new AppError('forbidden', 'Forbidden');
      if (size >= tooLargeFrom) throw new AppError('too-large', tooLargeMessage);
      const key = { ownerId: caller.id, clientId };
      let found = await store.findUpload(db, key);
      if (!found) {
        await mustFitBesideOthers(size);
        found = await beginNew(key, { size, slot });
      }
      if (found.size !== size) throw conflict('This upload was begun with a file of another size.');
      if (found.slot !== slot) throw conflict(OTHER_SLOT);
      return found.received;
    },

    /**
     * Adds a chunk; when this resolves it is durable. A chunk that came before changes nothing.
     * @returns how many bytes of the file are durable
     * @throws AppError 'not-found', 'conflict' (something before it is missing), 'too-large', 'bad-input' (too
     *   small), 'storage-full'
     */
    append: (key: store.UploadKey, start: number, bytes: Buffer): Promise<number> =>
      roomFor(bytes, async (tx) => {
        const upload = await store.lockUpload(tx, key);
        if (!upload) throw noSuchUpload();
        const end = start + bytes.length;
        if (end > upload.size)
          throw new AppError('too-large', 'This is more than the file was said to have.');
        if (end <= upload.received) return upload.received;
        if (start !== upload.received) throw conflict('A chunk before this one is missing.');
        if (bytes.length < CHUNK_MIN && end < upload.size) throw badInput(CHUNK_TOO_SMALL);
        await store.insertChunk(tx, key, { start, bytes }, clock());
        return end;
      }),

    /**
     * Hands over the file of a call: the one that came with it, the upload that it names, or null for none. A file
     * that was an upload is discarded again when `use` has ended, however it ends.
     * @param use must call `take` within the transaction that keeps the file elsewhere: of two that want the same
     *   upload at the same moment, one gets it
     * @throws AppError 'conflict' when the upload is not complete, was begun for another slot, or another has taken
     *   it; 'storage-full'
     */
    async withFile<T>(
      { ownerId, file: sent, uploadId }: SentFile,
      slot: UploadSlot,
      use: (file: StagedFile | null, take: TakeUpload) => Promise<T>,
    ): Promise<T> {
      if (sent || !uploadId) return use(sent ?? null, () => Promise.resolve());
      const key = { ownerId, clientId: uploadId };
      const upload = await store.findUpload(db, key);
      if (!upload || upload.received < upload.size)
        throw new UploadStays('The file has not arrived as a whole yet. Please send the rest of it.');
      if (upload.slot !== slot.name) throw new UploadStays(OTHER_SLOT);
      const file = await staging.receive(Readable.from(store.chunksOf(db, key)), slot, upload.size);
      try {
        // Committed by another call, or given up, while it was read.
        if (file.size !== upload.size) throw goneMeanwhile();
        return await use(file, async (tx) => {
          if (!(await store.deleteUpload(tx, key))) throw goneMeanwhile();
        });
      } finally {
        await staging.discard(file);
      }
    },

    /**
     * Runs the call that an upload was sent for. When that is done, or refused for good, nobody comes back for the
     * upload: it is given up, so that it does not count among those under way.
     * @param uploadId as the call names it, if it does
     */
    async settle<T>(ownerId: string, uploadId: string | undefined, commit: () => Promise<T>): Promise<T> {
      try {
        const done = await commit();
        await giveUp(ownerId, uploadId);
        return done;
      } catch (error) {
        if (isForGood(error)) await giveUp(ownerId, uploadId);
        throw error;
      }
    },

    giveUp,

    /** Forgets what does not grow any more, and what has grown for too long. */
    forgetOld: async (): Promise<void> => {
      const daysAgo = (days: number) => new Date(clock().getTime() - days * DAY_MS);
      await store.deleteUploadsBefore(db, {
        grown: daysAgo(UPLOAD_DAYS),
        begun: daysAgo(UPLOAD_DAYS_AT_MOST),
      });
    },
  };
}

/** A file of a call: it came with it, or was an upload of its owner's before. */
type SentFile = { ownerId: string; file: StagedFile | undefined; uploadId: string | undefined };

/** Ends an upload within a transaction. @throws AppError 'conflict' when it has ended already */
export type TakeUpload = (tx: Db) => Promise<void>;

/** A conflict after which the same upload can be named again. */
export class UploadStays extends AppError {
  constructor(message: string) {
    super('conflict', message);
  }
}

const FOR_GOOD = new Set<ErrorCode>(['bad-input', 'not-found', 'conflict', 'too-large', 'unsupported-media']);
const isForGood = (error: unknown) =>
  error instanceof AppError && FOR_GOOD.has(error.code) && !(error instanceof UploadStays);

const fits = (open: { count: number; bytes: number }, size: number) =>
  open.count < OPEN_UPLOADS_MAX && open.bytes + size <= OPEN_UPLOADS_BYTES_MAX;

const OTHER_SLOT = 'This upload was begun for something else.';
const TOO_MANY = 'Too many files are on their way. Please let some of them arrive first.';
const CHUNK_TOO_SMALL = `A chunk must have at least ${CHUNK_MIN.toLocaleString('en')} bytes, unless it is the last.`;

const noSuchUpload = () => notFound('No such upload');
const goneMeanwhile = () => new UploadStays('The file is no longer here as a whole. Please send it again.');
