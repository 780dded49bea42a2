import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { AppError, badInput } from '#shared/errors.ts';
import { MEBIBYTE, type UploadSlot } from '#shared/media.ts';
import { NOT_VALID, describeTooLong as tooLongSentence } from '#shared/validation-messages.ts';
import type { StagedFile, Staging } from '../media/staging.ts';
import type { FieldLimit } from './field-limits.ts';
import { readUpTo } from './read-body.ts';

export type Form = {
  fields: Record<string, string>;
  files: Record<string, StagedFile>;
  /** Deletes files that were staged but not published. Always call it. */
  discard(): Promise<void>;
};

/**
 * Limit for all text of a form together, including skipped fields. The longest, a melody's words in Tibetan, takes
 * 600 KB.
 */
const MAX_TEXT_BYTES = 2 * MEBIBYTE;

/** Maximum number of parts beyond those of the contract. They are skipped, like unknown fields of JSON. */
const MAX_EXTRA_PARTS = 10;

/** The parts in the contract. All others are skipped. */
export type FormParts = { fields: ReadonlyMap<string, FieldLimit>; slots: Record<string, UploadSlot> };

/**
 * Parses a multipart form and writes its files to the staging folder. Data after an error is ignored.
 * @throws AppError 'too-large' for a file over its slot's size or too much text in total, 'storage-full',
 * 'bad-input' for a field over its limit, a repeated field, or a file that the endpoint doesn't declare
 */
export async function readForm(
  request: FastifyRequest,
  { fields: limits, slots }: FormParts,
  staging: Staging,
): Promise<Form> {
  if (!request.isMultipart()) throw badInput('Please send this as a form (multipart/form-data).');
  if (!hasUsableBoundary(request)) throw unreadableError();
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  const files: Record<string, StagedFile> = Object.create(null) as Record<string, StagedFile>;
  const discard = async () => {
    await Promise.all(Object.values(files).map((file) => staging.discard(file)));
  };
  let textLeft = MAX_TEXT_BYTES;

  async function keepField(name: string, limit: FieldLimit, stream: Readable) {
    if (fields[name] !== undefined) throw notValidError(name, 'is given twice');
    const bytes = await readUpTo(stream, Math.min(limit.bytes, textLeft)).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      throw limit.bytes > textLeft ? tooLargeError() : tooLongError(name, limit);
    });
    textLeft -= bytes.length;
    // Forms are always sent with CRLF line breaks.
    fields[name] = bytes.toString('utf8').replaceAll('\r\n', '\n');
  }

  async function keepFile(name: string, stream: Readable) {
    const slot = slots[name];
    if (!slot || files[name]) throw notValidError(name, 'is not expected here');
    try {
      files[name] = await staging.receive(stream, slot, getDeclaredSize(request));
    } catch (error) {
      if (isTruncatedFormError(error)) throw error;
      if (!(error instanceof AppError)) throw new StagingError(error);
      // If there is only one file, its name is obvious.
      const isOfOnePart =
        Object.keys(slots).length > 1 && !['storage-full', 'unavailable'].includes(error.code);
      throw isOfOnePart ? error.atPath(name) : error;
    }
  }

  async function skip(stream: Readable) {
    for await (const chunk of stream) {
      textLeft -= (chunk as Buffer).length;
      if (textLeft < 0) throw tooLargeError();
    }
  }

  /** Skips unknown fields, and file inputs without a chosen file. */
  function keep({ fieldname: name, filename, file }: Part) {
    const limit = limits.get(name);
    if (filename) return keepFile(name, file);
    return filename === undefined && limit ? keepField(name, limit, file) : skip(file);
  }

  try {
    const most = limits.size + Object.keys(slots).length + MAX_EXTRA_PARTS;
    for await (const part of readParts(request, most)) await keep(part);
  } catch (error) {
    request.raw.unpipe();
    request.raw.resume();
    await discard();
    throw toClientError(error);
  }
  return { fields, files, discard };
}

type Part = { fieldname: string; filename: string | undefined; file: Readable };

/** Reads text fields as streams too: the parser itself would buffer each of them up to the limit of the longest. */
const readParts = (request: FastifyRequest, most: number) =>
  request.parts({
    isPartAFile: () => true,
    limits: { parts: most, fileSize: Infinity, headerPairs: 20, headerSize: 8 * 1024 },
  }) as AsyncIterable<Part>;

/**
 * Returns the size of the form, which is an upper bound for each of its files; undefined if its length is not
 * declared.
 */
const getDeclaredSize = (request: FastifyRequest) =>
  request.headers['content-length'] === undefined ? undefined : Number(request.headers['content-length']);

/** Checks the boundary: 1 to 70 characters by RFC 2046, section 5.1.1. The parser crashes on a very long one. */
function hasUsableBoundary(request: FastifyRequest) {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(request.headers['content-type'] ?? '');
  const length = (boundary?.[1] ?? boundary?.[2] ?? '').length;
  return length >= 1 && length <= 70;
}

/** Recognizes a form that ends in the middle of a file, which that file's stream reports. */
const isTruncatedFormError = (error: unknown) =>
  error instanceof Error && /unexpected end of/i.test(error.message);

/** Error of our own disk, which is not the client's fault. */
class StagingError extends Error {
  constructor(cause: unknown) {
    super('an upload could not be staged', { cause });
  }
}

/** Turns the parser's errors about a broken or oversized form into refusals, because they are the client's fault. */
function toClientError(error: unknown): unknown {
  if (error instanceof StagingError || error instanceof AppError) return error;
  if ((error as { statusCode?: number }).statusCode === 413) {
    return tooLargeError();
  }
  return unreadableError();
}

const unreadableError = () => badInput('The form could not be read. Please try again.');
const tooLargeError = () => new AppError('too-large', 'This form is too large.');

/** Error for a form that our own pages never send. */
const notValidError = (path: string, message: string) => badInput(NOT_VALID, [{ path, message }]);

function tooLongError(path: string, { characters }: FieldLimit) {
  const message = tooLongSentence(characters);
  return badInput(message, [{ path, message }]);
}
