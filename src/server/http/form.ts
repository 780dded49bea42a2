import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { AppError, createBadInputError } from '#shared/errors.ts';
import { MEBIBYTE, type UploadSlot } from '#shared/media.ts';
import {
  INVALID_INPUT_MESSAGE,
  getMaxLengthMessage as tooLongSentence,
} from '#shared/validation-messages.ts';
import type { StagedFile, Staging } from '../media/staging.ts';
import type { FieldLimit } from './field-limits.ts';
import { readStreamWithinLimit } from './read-body.ts';

export type ParsedForm = {
  fields: Record<string, string>;
  files: Record<string, StagedFile>;
  /** Deletes files that were staged but not published. Must always be called. */
  discard(): Promise<void>;
};

/**
 * Maximum total size of a form's text, including skipped fields. The longest text, a melody's words in Tibetan,
 * takes 600 KB.
 */
const MAX_TEXT_BYTES = 2 * MEBIBYTE;

/**
 * Maximum number of parts that the contract doesn't name. Text fields among them are skipped, like unknown
 * fields of JSON.
 */
const MAX_EXTRA_PARTS = 10;

/** The parts that the contract names. Other text fields are skipped, and other files are rejected. */
export type AcceptedFormParts = {
  fields: ReadonlyMap<string, FieldLimit>;
  slots: Record<string, UploadSlot>;
};

/**
 * Parses a multipart form and writes its files to the staging folder. After an error, the rest of the form is
 * ignored.
 * @throws AppError 'too-large' if a file exceeds its slot's limit, or if the text of all fields is too long;
 * 'storage-full' if the disk is nearly full; 'unavailable' if the data folder is missing; 'bad-input' if the
 * form is malformed, a field exceeds its limit, a field or file is repeated, or the endpoint declares no such
 * file
 */
export async function readForm(
  request: FastifyRequest,
  { fields: limits, slots }: AcceptedFormParts,
  staging: Staging,
): Promise<ParsedForm> {
  if (!request.isMultipart()) throw createBadInputError('Please send this as a form (multipart/form-data).');
  if (!hasUsableBoundary(request)) throw unreadableError();
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  const files: Record<string, StagedFile> = Object.create(null) as Record<string, StagedFile>;
  const discard = async () => {
    await Promise.all(Object.values(files).map((file) => staging.discard(file)));
  };
  let textLeft = MAX_TEXT_BYTES;

  async function keepField(name: string, limit: FieldLimit, stream: Readable) {
    if (fields[name] !== undefined) throw notValidError(name, 'is given twice');
    const bytes = await readStreamWithinLimit(stream, Math.min(limit.bytes, textLeft)).catch(
      (error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        throw limit.bytes > textLeft ? tooLargeError() : tooLongError(name, limit);
      },
    );
    textLeft -= bytes.length;
    // Browsers send line breaks in forms as CRLF.
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
      // Adds the field to the error if the form has several files and the problem is this file, not the server.
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

  /**
   * Reads a file, or a field that the contract names. Skips other fields, and file inputs without a chosen
   * file.
   */
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

/**
 * Reads the form's parts. Text fields are read as streams, like files, because the parser would buffer each of
 * them up to the limit of the longest field.
 */
const readParts = (request: FastifyRequest, most: number) =>
  request.parts({
    isPartAFile: () => true,
    limits: { parts: most, fileSize: Infinity, headerPairs: 20, headerSize: 8 * 1024 },
  }) as AsyncIterable<Part>;

/**
 * Returns the size of the whole form, an upper bound for the size of each file.
 * @returns undefined if the client doesn't declare it
 */
const getDeclaredSize = (request: FastifyRequest) =>
  request.headers['content-length'] === undefined ? undefined : Number(request.headers['content-length']);

/**
 * Returns whether the boundary has 1 to 70 characters (RFC 2046, section 5.1.1). The parser crashes on a very
 * long one.
 */
function hasUsableBoundary(request: FastifyRequest) {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(request.headers['content-type'] ?? '');
  const length = (boundary?.[1] ?? boundary?.[2] ?? '').length;
  return length >= 1 && length <= 70;
}

/** Returns whether a file's stream failed because the form ended in the middle of the file. */
const isTruncatedFormError = (error: unknown) =>
  error instanceof Error && /unexpected end of/i.test(error.message);

/** Failure to store a file, which is not the client's fault. */
class StagingError extends Error {
  constructor(cause: unknown) {
    super('an upload could not be staged', { cause });
  }
}

/**
 * Converts the parser's errors about a malformed or oversized form to client errors. Returns our own errors
 * unchanged.
 */
function toClientError(error: unknown): unknown {
  if (error instanceof StagingError || error instanceof AppError) return error;
  if ((error as { statusCode?: number }).statusCode === 413) {
    return tooLargeError();
  }
  return unreadableError();
}

const unreadableError = () => createBadInputError('The form could not be read. Please try again.');
const tooLargeError = () => new AppError('too-large', 'This form is too large.');

/** Error for a form that our own pages never send. */
const notValidError = (path: string, message: string) =>
  createBadInputError(INVALID_INPUT_MESSAGE, [{ path, message }]);

function tooLongError(path: string, { characters }: FieldLimit) {
  const message = tooLongSentence(characters);
  return createBadInputError(message, [{ path, message }]);
}
