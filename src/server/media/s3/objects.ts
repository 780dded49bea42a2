import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type GetObjectCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Log } from '#server/log.ts';
import { withTimeout } from '#server/concurrency/with-timeout.ts';
import { pipeThrough } from '../pipe-through.ts';
import { openS3Client } from './client.ts';
import { createS3FailureReporter, getS3ErrorName, type S3Activity } from './failure.ts';
import { describeS3Store, type S3Settings } from './settings.ts';

export type S3Timeouts = { answerMs: number; stalledMs: number; copyMs: number };

export const DEFAULT_S3_TIMEOUTS: S3Timeouts = {
  /**
   * Timeout for a response, or for its first byte if it is streamed. It is short enough for users to get an
   * error within ten seconds.
   */
  answerMs: 5_000,
  /**
   * Timeout for a transfer that makes no progress. It is short enough that a stalled transfer and the
   * inspection of a recording together take less than ten seconds.
   */
  stalledMs: 6_000,
  /** Timeout for a copy inside the store. It is long, because no user waits for the copy. */
  copyMs: 60_000,
};

/** Bytes per read. With Node's default of 64 KiB, sending media takes several times the CPU time. */
const READ_BUFFER_BYTES = 256 * 1024;

type Range = { start: number; end?: number };

type RequestOptions = {
  doing?: S3Activity;
  ms?: number;
  /** Names of errors that the caller handles. */
  expected?: string[];
};

export type S3Objects = ReturnType<typeof openS3Objects>;

/**
 * Creates functions that access the objects in a bucket. Every failure except an expected one, such as a
 * missing object, is logged and thrown as AppError 'unavailable' or 'storage-full'.
 */
export function openS3Objects(settings: S3Settings, log: Log, limits = DEFAULT_S3_TIMEOUTS) {
  const Bucket = settings.bucket;
  const { client, aheadMs } = openS3Client(settings, log);
  const health = createS3FailureReporter(log, describeS3Store(settings));

  async function sendCommand<T>(
    run: (abortSignal: AbortSignal) => Promise<T>,
    { doing = 'reading', ms = limits.answerMs, expected = [] }: RequestOptions = {},
  ): Promise<T> {
    const aborting = new AbortController();
    try {
      const result = await withTimeout(ms, run(aborting.signal));
      health.succeeded(doing);
      return result;
    } catch (error) {
      if (expected.includes(getS3ErrorName(error))) {
        health.succeeded(doing);
        throw error;
      }
      aborting.abort();
      throw health.failed(error, doing);
    }
  }

  async function sizeOf(Key: string): Promise<number> {
    const head = new HeadObjectCommand({ Bucket, Key });
    return (await sendCommand((abortSignal) => client.send(head, { abortSignal }))).ContentLength ?? 0;
  }

  /**
   * Returns bytes `start` to `end`, inclusive, as far as they exist, and the size of the whole object; null if
   * there is no such object. The stream fails with the same errors as all other methods.
   */
  async function get(Key: string, { start, end }: Range): Promise<{ stream: Readable; size: number } | null> {
    const isWhole = start === 0 && end === undefined;
    const part = isWhole ? {} : { Range: `bytes=${start}-${end ?? ''}` };
    const command = new GetObjectCommand({ Bucket, Key, ...part });
    try {
      const answer = await sendCommand((abortSignal) => client.send(command, { abortSignal }), {
        expected: ['NoSuchKey', 'InvalidRange'],
      });
      const stream = answer.Body as IncomingMessage;
      const size = isWhole ? answer.ContentLength : getSizeByRange(answer, start, end);
      if (size !== undefined)
        return { stream: pipeThrough(endWhenStalled(stream, limits.stalledMs), withFailureReport), size };
      stream.destroy();
      throw health.failed(new Error('it does not say which part it sends'), 'reading');
    } catch (error) {
      if (getS3ErrorName(error) === 'NoSuchKey') return null;
      // Returns an empty stream, because the range starts after the last byte. The caller recognizes this by
      // the size.
      if (getS3ErrorName(error) === 'InvalidRange')
        return { stream: Readable.from([]), size: await sizeOf(Key) };
      throw error;
    }
  }

  async function* withFailureReport(stream: IncomingMessage) {
    try {
      yield* stream as AsyncIterable<Buffer>;
    } catch (error) {
      // Reports a failure only if the stream from the store failed. Otherwise, the error comes from the
      // destination.
      throw stream.errored ? health.failed(error, 'reading') : error;
    }
  }

  async function put(Key: string, Body: Buffer, ifNone = false) {
    const condition = ifNone ? { IfNoneMatch: '*' } : {};
    const command = new PutObjectCommand({ Bucket, Key, Body, ContentLength: Body.length, ...condition });
    await sendCommand((abortSignal) => client.send(command, { abortSignal }), {
      doing: 'writing',
      expected: ALREADY_EXISTS_ERRORS,
    });
  }

  async function remove(Key: string) {
    const command = new DeleteObjectCommand({ Bucket, Key });
    await sendCommand((abortSignal) => client.send(command, { abortSignal }), { doing: 'writing' });
  }

  async function* pages(Prefix: string, Delimiter?: string) {
    let ContinuationToken: string | undefined;
    do {
      const command = new ListObjectsV2Command({
        ...{ Bucket, Prefix, EncodingType: 'url' },
        ...(Delimiter && { Delimiter }),
        ...(ContinuationToken && { ContinuationToken }),
      });
      const page = await sendCommand((abortSignal) => client.send(command, { abortSignal }));
      const decode = page.EncodingType === 'url' ? decodeKey : (key: string) => key;
      yield {
        objects: (page.Contents ?? []).map(({ Key = '', Size = 0, LastModified = new Date(0) }) => ({
          key: decode(Key),
          size: Size,
          // Converts the store's time to our clock.
          modifiedAt: new Date(LastModified.getTime() - aheadMs()),
        })),
        folders: (page.CommonPrefixes ?? []).map(({ Prefix: folder = '' }) => decode(folder)),
      };
      ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (ContinuationToken);
  }

  /** Reads the bytes that `get` returns into memory; null if there is no such object. */
  async function read(key: string, range: Range): Promise<{ bytes: Buffer; size: number } | null> {
    const found = await get(key, range);
    return found && { bytes: await buffer(found.stream), size: found.size };
  }

  return {
    get,
    read,
    remove,

    /**
     * Returns an object's size; null if there is no such object. Reads one byte, because the response to HEAD
     * does not distinguish a missing object from a missing bucket.
     */
    size: async (key: string): Promise<number | null> =>
      (await read(key, { start: 0, end: 0 }))?.size ?? null,

    /** Returns a URL from which anyone can download an object for this many seconds. */
    signedUrl(key: string, { contentType, seconds }: { contentType: string; seconds: number }) {
      const command = new GetObjectCommand({
        ...{ Bucket, Key: key },
        ...{ ResponseContentType: contentType, ResponseCacheControl: 'private, no-store' },
      });
      // Signs with the store's time, because the store decides by its own clock whether a URL has expired.
      const signingDate = new Date(Date.now() + aheadMs());
      return getSignedUrl(client, command, { expiresIn: seconds, signingDate });
    },

    /** Returns the size and the SHA-256 of all bytes received; null if there is no such object. */
    async digest(key: string, signal?: AbortSignal): Promise<{ size: number; sha256: string } | null> {
      const found = await get(key, { start: 0 });
      if (!found) return null;
      const hash = createHash('sha256');
      let size = 0;
      for await (const chunk of found.stream as AsyncIterable<Buffer>) {
        signal?.throwIfAborted();
        hash.update(chunk);
        size += chunk.length;
      }
      return { size, sha256: hash.digest('hex') };
    },

    put: (key: string, bytes: Buffer) => put(key, bytes),

    /**
     * Writes an object unless it exists. Of several concurrent calls, only one returns true.
     * @returns whether the object was written
     */
    async putIfNone(key: string, bytes: Buffer): Promise<boolean> {
      try {
        await put(key, bytes, true);
        return true;
      } catch (error) {
        if (ALREADY_EXISTS_ERRORS.includes(getS3ErrorName(error))) return false;
        throw error;
      }
    },

    /**
     * Uploads a file in one request, so that an interrupted upload leaves nothing behind. The store verifies
     * the hash of what it received.
     */
    async putFile(key: string, path: string): Promise<void> {
      const { size } = await stat(path);
      const hash = createHash('md5');
      for await (const chunk of createReadStream(path, { highWaterMark: READ_BUFFER_BYTES }))
        hash.update(chunk as Buffer);
      const sent = { Bucket, Key: key, ContentLength: size, ContentMD5: hash.digest('base64') };
      const send = () => sendFile(client, sent, path, limits.stalledMs);
      try {
        // Retries once, because only an attempt to use a connection shows that the store has closed it.
        await send().catch((error: unknown) =>
          isConnectionReset(error) ? send() : Promise.reject(error as Error),
        );
        health.succeeded('writing');
      } catch (error) {
        throw health.failed(error, 'writing');
      }
    },

    /**
     * Copies an object.
     * @returns false if there is no such object
     */
    async copy(from: string, to: string): Promise<boolean> {
      const CopySource = encodeURIComponent(`${Bucket}/${from}`).replaceAll('%2F', '/');
      const command = new CopyObjectCommand({ Bucket, Key: to, CopySource });
      try {
        const expected = ['NoSuchKey'];
        const copying: RequestOptions = { doing: 'writing', ms: limits.copyMs, expected };
        await sendCommand((abortSignal) => client.send(command, { abortSignal }), copying);
        return true;
      } catch (error) {
        if (getS3ErrorName(error) === 'NoSuchKey') return false;
        throw error;
      }
    },

    /** Lists objects, sorted by the bytes of their keys. */
    async *list(prefix: string): AsyncGenerator<{ key: string; size: number; modifiedAt: Date }> {
      for await (const { objects } of pages(prefix)) yield* objects;
    },

    /** Returns the folders directly below a prefix, each with a slash at the end. */
    async folders(prefix: string): Promise<string[]> {
      const found: string[] = [];
      for await (const { folders } of pages(prefix, '/')) found.push(...folders);
      return found;
    },
  };
}

/**
 * Returns the size of an object, derived from the response to a range request; undefined if the response is
 * for another range. If the store announces fewer bytes than the range should contain, the rest is lost, and
 * the size is the offset at which the announced bytes end.
 */
function getSizeByRange(
  { ContentRange = '', ContentLength }: Pick<GetObjectCommandOutput, 'ContentRange' | 'ContentLength'>,
  start: number,
  end = Infinity,
): number | undefined {
  const [, first, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(ContentRange) ?? [];
  if (Number(first) !== start) return undefined;
  const due = Math.min(end + 1, Number(total)) - start;
  return ContentLength !== undefined && ContentLength < due ? start + ContentLength : Number(total);
}

/**
 * Names of the errors that mean that another write of the same object came first. After a
 * ConditionalRequestConflict, that write is still in progress.
 */
const ALREADY_EXISTS_ERRORS = ['PreconditionFailed', 'ConditionalRequestConflict'];

type PutRequest = { Bucket: string; Key: string; ContentLength: number; ContentMD5: string };

/** Uploads a file, without a time limit as long as it makes progress. */
async function sendFile(client: S3Client, sent: PutRequest, path: string, stalledMs: number) {
  const body = createReadStream(path, { highWaterMark: READ_BUFFER_BYTES });
  const aborting = new AbortController();
  body.once('error', () => aborting.abort());
  const watch = watchForStall(
    () => body.bytesRead,
    stalledMs,
    () => aborting.abort(),
  );
  try {
    const command = new PutObjectCommand({ ...sent, Body: body });
    await client.send(command, { abortSignal: aborting.signal });
  } finally {
    watch.end();
    body.destroy();
  }
}

/** Destroys the stream if the store stops sending in the middle. A slow reader doesn't count as a stall. */
function endWhenStalled(stream: IncomingMessage, stalledMs: number): IncomingMessage {
  const watch = watchForStall(
    () => (stream.readableLength > 0 ? null : stream.socket.bytesRead),
    stalledMs,
    () => stream.destroy(Object.assign(new Error('stopped in the middle'), { name: 'TimeoutError' })),
  );
  stream.once('close', watch.end);
  return stream;
}

/**
 * Calls `onStalled` when there has been no progress for `stalledMs`.
 * @param progress returns a number that grows with progress; null while none is expected
 */
function watchForStall(progress: () => number | null, stalledMs: number, onStalled: () => void) {
  const LOOKS = 8;
  let last: number | null = null;
  let idle = 0;
  const timer = setInterval(() => {
    const now = progress();
    idle = now !== null && now === last ? idle + 1 : 0;
    last = now;
    if (idle >= LOOKS) onStalled();
  }, stalledMs / LOOKS);
  return { end: () => clearInterval(timer) };
}

const isConnectionReset = (error: unknown) =>
  ['ECONNRESET', 'EPIPE'].includes((error as { code?: string }).code ?? '');

/** Decodes a key from the store's list, in which a space may be encoded as a plus. */
const decodeKey = (key: string) => decodeURIComponent(key.replaceAll('+', ' '));
