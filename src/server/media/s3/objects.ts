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
import { passThrough } from '../pass-through.ts';
import { openClient } from './client.ts';
import { failures, nameOfFailure, type Doing } from './failure.ts';
import { nameOf, type S3Settings } from './settings.ts';

export type Limits = { answerMs: number; stalledMs: number; copyMs: number };

export const LIMITS: Limits = {
  /** For one answer, or for its first byte; short enough that a person is told within ten seconds. */
  answerMs: 5_000,
  /** Without any progress, while a file is sent or comes. With the inspection of a recording, within ten seconds too. */
  stalledMs: 6_000,
  /** The store does it by itself, and nobody waits. */
  copyMs: 60_000,
};

/** Bytes per read; the default 64 KiB costs several times the CPU for media. */
const READ_BUFFER = 256 * 1024;

type Range = { start: number; end?: number };

type Asking = {
  doing?: Doing;
  ms?: number;
  /** Names of errors that the caller looks at. */
  expected?: string[];
};

export type S3Objects = ReturnType<typeof openObjects>;

/**
 * The objects of one bucket. Whatever fails, other than a missing object, throws AppError 'unavailable' or
 * 'storage-full', and says why in the log.
 */
export function openObjects(settings: S3Settings, log: Log, limits = LIMITS) {
  const Bucket = settings.bucket;
  const { client, aheadMs } = openClient(settings, log);
  const health = failures(log, nameOf(settings));

  async function ask<T>(
    run: (abortSignal: AbortSignal) => Promise<T>,
    { doing = 'reading', ms = limits.answerMs, expected = [] }: Asking = {},
  ): Promise<T> {
    const aborting = new AbortController();
    try {
      const result = await withTimeout(ms, run(aborting.signal));
      health.succeeded(doing);
      return result;
    } catch (error) {
      if (expected.includes(nameOfFailure(error))) {
        health.succeeded(doing);
        throw error;
      }
      aborting.abort();
      throw health.failed(error, doing);
    }
  }

  async function sizeOf(Key: string): Promise<number> {
    const head = new HeadObjectCommand({ Bucket, Key });
    return (await ask((abortSignal) => client.send(head, { abortSignal }))).ContentLength ?? 0;
  }

  /**
   * Bytes `start` to `end`, inclusive, as far as there are any, and the size of the whole; null without the object. The
   * stream fails as everything else here does.
   */
  async function get(Key: string, { start, end }: Range): Promise<{ stream: Readable; size: number } | null> {
    const isWhole = start === 0 && end === undefined;
    const part = isWhole ? {} : { Range: `bytes=${start}-${end ?? ''}` };
    const command = new GetObjectCommand({ Bucket, Key, ...part });
    try {
      const answer = await ask((abortSignal) => client.send(command, { abortSignal }), {
        expected: ['NoSuchKey', 'InvalidRange'],
      });
      const stream = answer.Body as IncomingMessage;
      const size = isWhole ? answer.ContentLength : sizeByRange(answer, start, end);
      if (size !== undefined)
        return { stream: passThrough(whileItComes(stream, limits.stalledMs), orFailure), size };
      stream.destroy();
      throw health.failed(new Error('it does not say which part it sends'), 'reading');
    } catch (error) {
      if (nameOfFailure(error) === 'NoSuchKey') return null;
      // Behind the last byte, which the size shows.
      if (nameOfFailure(error) === 'InvalidRange')
        return { stream: Readable.from([]), size: await sizeOf(Key) };
      throw error;
    }
  }

  async function* orFailure(stream: IncomingMessage) {
    try {
      yield* stream as AsyncIterable<Buffer>;
    } catch (error) {
      // Otherwise whoever reads it has failed.
      throw stream.errored ? health.failed(error, 'reading') : error;
    }
  }

  async function put(Key: string, Body: Buffer, ifNone = false) {
    const condition = ifNone ? { IfNoneMatch: '*' } : {};
    const command = new PutObjectCommand({ Bucket, Key, Body, ContentLength: Body.length, ...condition });
    await ask((abortSignal) => client.send(command, { abortSignal }), { doing: 'writing', expected: TAKEN });
  }

  async function remove(Key: string) {
    const command = new DeleteObjectCommand({ Bucket, Key });
    await ask((abortSignal) => client.send(command, { abortSignal }), { doing: 'writing' });
  }

  async function* pages(Prefix: string, Delimiter?: string) {
    let ContinuationToken: string | undefined;
    do {
      const command = new ListObjectsV2Command({
        ...{ Bucket, Prefix, EncodingType: 'url' },
        ...(Delimiter && { Delimiter }),
        ...(ContinuationToken && { ContinuationToken }),
      });
      const page = await ask((abortSignal) => client.send(command, { abortSignal }));
      const decode = page.EncodingType === 'url' ? decoded : (key: string) => key;
      yield {
        objects: (page.Contents ?? []).map(({ Key = '', Size = 0, LastModified = new Date(0) }) => ({
          key: decode(Key),
          size: Size,
          // By our clock.
          modifiedAt: new Date(LastModified.getTime() - aheadMs()),
        })),
        folders: (page.CommonPrefixes ?? []).map(({ Prefix: folder = '' }) => decode(folder)),
      };
      ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (ContinuationToken);
  }

  /** The same bytes at once. */
  async function read(key: string, range: Range): Promise<{ bytes: Buffer; size: number } | null> {
    const found = await get(key, range);
    return found && { bytes: await buffer(found.stream), size: found.size };
  }

  return {
    get,
    read,
    remove,

    /** With a byte of it: the answer to HEAD does not tell a missing object from a missing bucket. */
    size: async (key: string): Promise<number | null> =>
      (await read(key, { start: 0, end: 0 }))?.size ?? null,

    /** An address at which anybody can get an object for a while. */
    signedUrl(key: string, { contentType, seconds }: { contentType: string; seconds: number }) {
      const command = new GetObjectCommand({
        ...{ Bucket, Key: key },
        ...{ ResponseContentType: contentType, ResponseCacheControl: 'private, no-store' },
      });
      // By the store's clock.
      const signingDate = new Date(Date.now() + aheadMs());
      return getSignedUrl(client, command, { expiresIn: seconds, signingDate });
    },

    /** The size and the SHA-256 of all that comes. */
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

    /** @returns whether there was none; of several concurrent calls, one hears so */
    async putIfNone(key: string, bytes: Buffer): Promise<boolean> {
      try {
        await put(key, bytes, true);
        return true;
      } catch (error) {
        if (TAKEN.includes(nameOfFailure(error))) return false;
        throw error;
      }
    },

    /** In one request, which leaves nothing behind when it breaks. The store compares the hash of what has arrived. */
    async putFile(key: string, path: string): Promise<void> {
      const { size } = await stat(path);
      const hash = createHash('md5');
      for await (const chunk of createReadStream(path, { highWaterMark: READ_BUFFER }))
        hash.update(chunk as Buffer);
      const sent = { Bucket, Key: key, ContentLength: size, ContentMD5: hash.digest('base64') };
      const send = () => sendFile(client, sent, path, limits.stalledMs);
      try {
        // A connection that the store has closed meanwhile is only noticed when it is used.
        await send().catch((error: unknown) => (isReset(error) ? send() : Promise.reject(error as Error)));
        health.succeeded('writing');
      } catch (error) {
        throw health.failed(error, 'writing');
      }
    },

    /** @returns false if there is no such object */
    async copy(from: string, to: string): Promise<boolean> {
      const CopySource = encodeURIComponent(`${Bucket}/${from}`).replaceAll('%2F', '/');
      const command = new CopyObjectCommand({ Bucket, Key: to, CopySource });
      try {
        const expected = ['NoSuchKey'];
        const copying: Asking = { doing: 'writing', ms: limits.copyMs, expected };
        await ask((abortSignal) => client.send(command, { abortSignal }), copying);
        return true;
      } catch (error) {
        if (nameOfFailure(error) === 'NoSuchKey') return false;
        throw error;
      }
    },

    /** In the order of the bytes of their keys. */
    async *list(prefix: string): AsyncGenerator<{ key: string; size: number; modifiedAt: Date }> {
      for await (const { objects } of pages(prefix)) yield* objects;
    },

    /** The folders right below a prefix, each ending in a slash. */
    async folders(prefix: string): Promise<string[]> {
      const found: string[] = [];
      for await (const { folders } of pages(prefix, '/')) found.push(...folders);
      return found;
    },
  };
}

/**
 * The size of an object by the answer to a range; undefined if the answer is of another part. A store that announces fewer
 * bytes than it was asked for has lost the rest: then the object ends there.
 */
function sizeByRange(
  { ContentRange = '', ContentLength }: Pick<GetObjectCommandOutput, 'ContentRange' | 'ContentLength'>,
  start: number,
  end = Infinity,
): number | undefined {
  const [, first, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(ContentRange) ?? [];
  if (Number(first) !== start) return undefined;
  const due = Math.min(end + 1, Number(total)) - start;
  return ContentLength !== undefined && ContentLength < due ? start + ContentLength : Number(total);
}

/** Of a condition that fails; the second while another is being written. */
const TAKEN = ['PreconditionFailed', 'ConditionalRequestConflict'];

type Sent = { Bucket: string; Key: string; ContentLength: number; ContentMD5: string };

/** For as long as it takes, while it gets on. */
async function sendFile(client: S3Client, sent: Sent, path: string, stalledMs: number) {
  const body = createReadStream(path, { highWaterMark: READ_BUFFER });
  const aborting = new AbortController();
  body.once('error', () => aborting.abort());
  const watch = onceStalled(
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

/** A store that goes silent in the middle ends the answer; a reader who takes time does not. */
function whileItComes(stream: IncomingMessage, stalledMs: number): IncomingMessage {
  const watch = onceStalled(
    () => (stream.readableLength > 0 ? null : stream.socket.bytesRead),
    stalledMs,
    () => stream.destroy(Object.assign(new Error('stopped in the middle'), { name: 'TimeoutError' })),
  );
  stream.once('close', watch.end);
  return stream;
}

/** @param progress a number that grows; null while nothing is to be expected */
function onceStalled(progress: () => number | null, stalledMs: number, onStalled: () => void) {
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

const isReset = (error: unknown) => ['ECONNRESET', 'EPIPE'].includes((error as { code?: string }).code ?? '');

/** As the store encodes them for its list; a space may be a plus there. */
const decoded = (key: string) => decodeURIComponent(key.replaceAll('+', ' '));
