import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { AppError, badInput } from '#shared/errors.ts';
import { MEBIBYTE, type UploadSlot } from '#shared/media.ts';
import type { StagedFile, Staging } from '../media/staging.ts';
import type { FieldLimit } from './field-limits.ts';
import { readAtMost } from './read-body.ts';

export type Form = {
  fields: Record<string, string>;
  files: Record<string, StagedFile>;
  /** Deletes what was staged and not published; call it always. */
  discard(): Promise<void>;
};

/** All text of a form together, including what is skipped. The longest, a melody's words in Tibetan, takes 600 KB. */
const TEXT_BYTES = 2 * MEBIBYTE;

/** Extra parts that a form may have beside those of its contract: they are skipped, as unknown fields of JSON are. */
const SPARE_PARTS = 10;

/** The parts in the contract; everything else is dropped. */
export type FormParts = { fields: ReadonlyMap<string, FieldLimit>; slots: Record<string, UploadSlot> };

/**
 * Parses a multipart form, with its files into the staging folder. What arrives after an error is ignored.
 * @throws AppError 'too-large' for a file over its slot's size or too much text in total, 'storage-full', 'bad-input'
 *   for a field over its limit, a repeated one, and a file that the endpoint does not declare
 */
export async function readForm(
  request: FastifyRequest,
  { fields: limits, slots }: FormParts,
  staging: Staging,
): Promise<Form> {
  if (!request.isMultipart()) throw badInput('Please send this as a form (multipart/form-data).');
  if (!hasUsableBoundary(request)) throw unreadable();
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  const files: Record<string, StagedFile> = Object.create(null) as Record<string, StagedFile>;
  const discard = async () => {
    await Promise.all(Object.values(files).map((file) => staging.discard(file)));
  };
  let textLeft = TEXT_BYTES;

  async function keepField(name: string, limit: FieldLimit, stream: Readable) {
    if (fields[name] !== undefined) throw badInput(`${name}: is given twice`);
    const bytes = await readAtMost(stream, Math.min(limit.bytes, textLeft)).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      throw limit.bytes > textLeft ? tooLarge() : tooLong(name, limit);
    });
    textLeft -= bytes.length;
    // Forms are sent with CRLF line breaks whatever was typed.
    fields[name] = bytes.toString('utf8').replaceAll('\r\n', '\n');
  }

  async function keepFile(name: string, stream: Readable) {
    const slot = slots[name];
    if (!slot || files[name]) throw badInput(`${name}: no such file is expected here`);
    try {
      files[name] = await staging.receive(stream, slot, announcedSize(request));
    } catch (error) {
      if (isTornForm(error)) throw error;
      if (!(error instanceof AppError)) throw new StagingFailure(error);
      // If there is only one file, its name is obvious.
      const isOfOnePart =
        Object.keys(slots).length > 1 && !['storage-full', 'unavailable'].includes(error.code);
      throw isOfOnePart ? error.about(name) : error;
    }
  }

  async function skip(stream: Readable) {
    for await (const chunk of stream) {
      textLeft -= (chunk as Buffer).length;
      if (textLeft < 0) throw tooLarge();
    }
  }

  /** Skips unknown fields, and file inputs without a chosen file. */
  function keep({ fieldname: name, filename, file }: Part) {
    const limit = limits.get(name);
    if (filename) return keepFile(name, file);
    return filename === undefined && limit ? keepField(name, limit, file) : skip(file);
  }

  try {
    const most = limits.size + Object.keys(slots).length + SPARE_PARTS;
    for await (const part of partsOf(request, most)) await keep(part);
  } catch (error) {
    request.raw.unpipe();
    request.raw.resume();
    await discard();
    throw asRefusal(error);
  }
  return { fields, files, discard };
}

type Part = { fieldname: string; filename: string | undefined; file: Readable };

/** Text fields are streamed too: the parser itself would buffer each up to the limit of the longest. */
const partsOf = (request: FastifyRequest, most: number) =>
  request.parts({
    isPartAFile: () => true,
    limits: { parts: most, fileSize: Infinity, headerPairs: 20, headerSize: 8 * 1024 },
  }) as AsyncIterable<Part>;

/** No file in a form is larger than the form; undefined if its length is not declared. */
const announcedSize = (request: FastifyRequest) =>
  request.headers['content-length'] === undefined ? undefined : Number(request.headers['content-length']);

/** 1 to 70 characters by RFC 2046, section 5.1.1; the parser crashes on a very long one. */
function hasUsableBoundary(request: FastifyRequest) {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(request.headers['content-type'] ?? '');
  const length = (boundary?.[1] ?? boundary?.[2] ?? '').length;
  return length >= 1 && length <= 70;
}

/** A form that ends in the middle of a file is reported by that file's stream. */
const isTornForm = (error: unknown) => error instanceof Error && /unexpected end of/i.test(error.message);

/** Our own disk failed, which is not the client's fault. */
class StagingFailure extends Error {
  constructor(cause: unknown) {
    super('an upload could not be staged', { cause });
  }
}

/** The parser's errors about a broken or oversized form are the client's fault. */
function asRefusal(error: unknown): unknown {
  if (error instanceof StagingFailure || error instanceof AppError) return error;
  if ((error as { statusCode?: number }).statusCode === 413) {
    return tooLarge();
  }
  return unreadable();
}

const unreadable = () => badInput('The form could not be read. Please try again.');
const tooLarge = () => new AppError('too-large', 'This form is too large.');

function tooLong(path: string, { characters }: FieldLimit) {
  const message = `must be at most ${characters.toLocaleString('en')} characters`;
  return badInput(`${path}: ${message}`, [{ path, message }]);
}
