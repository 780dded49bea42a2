import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { AppError, badInput } from '../../contract/errors.ts';
import type { UploadSlot } from '../../contract/media.ts';
import type { StagedFile, Staging } from '../media/staging.ts';

export type Form = {
  fields: Record<string, string>;
  files: Record<string, StagedFile>;
  /** Deletes what was staged and not published; call it always. */
  discard(): Promise<void>;
};

/** Generous for 200,000 characters of Tibetan at three bytes each. */
const FIELD_BYTES = 1024 * 1024;

/**
 * Reads a multipart form, its files into the staging folder. A form that goes on behind an error is read to its end
 * and thrown away, because a browser that is still sending would see a broken line instead of the answer.
 * @throws AppError 'too-large' for a file over its slot's size, 'storage-full', 'bad-input' for a part that the endpoint does not name
 */
export async function readForm(
  request: FastifyRequest,
  slots: Record<string, UploadSlot>,
  staging: Staging,
): Promise<Form> {
  if (!request.isMultipart()) throw badInput('Please send this as a form (multipart/form-data).');
  if (!hasUsableBoundary(request)) throw unreadable();
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  const files: Record<string, StagedFile> = Object.create(null) as Record<string, StagedFile>;
  const discard = async () => {
    await Promise.all(Object.values(files).map((file) => staging.discard(file)));
  };
  let refusal: AppError | undefined;
  try {
    for await (const part of request.parts({
      limits: { fieldSize: FIELD_BYTES, fields: 40, parts: 50, fileSize: Infinity },
    })) {
      if (part.type === 'field') {
        if (part.valueTruncated) refusal ??= badInput(`${part.fieldname}: is too long`);
        // Forms travel with CRLF line ends whatever was typed.
        else if (typeof part.value === 'string') fields[part.fieldname] = part.value.replaceAll('\r\n', '\n');
        continue;
      }
      if (refusal || isEmptyChoice(part)) {
        await drain(part);
        continue;
      }
      const slot = slots[part.fieldname];
      if (!slot || files[part.fieldname]) {
        refusal = badInput(`${part.fieldname}: no such file is expected here`);
        await drain(part);
        continue;
      }
      try {
        files[part.fieldname] = await staging.receive(part.file, slot, announcedSize(request));
      } catch (error) {
        if (isTornForm(error)) throw error;
        if (!(error instanceof AppError)) throw new StagingFailure(error);
        // Where only one file can be meant, nobody need be told which.
        const isOfOnePart = Object.keys(slots).length > 1 && error.code !== 'storage-full';
        refusal = isOfOnePart ? error.about(part.fieldname) : error;
        await drain(part);
      }
    }
  } catch (error) {
    await discard();
    throw asRefusal(error);
  }
  if (refusal) {
    await discard();
    throw refusal;
  }
  return { fields, files, discard };
}

/** A file input that nothing was chosen in is sent all the same, without a name. */
const isEmptyChoice = (part: MultipartFile) => !part.filename;

async function drain(part: MultipartFile) {
  for await (const chunk of part.file) void chunk;
}

/** No file in a form is larger than the form; undefined for one that is sent without its length. */
const announcedSize = (request: FastifyRequest) =>
  request.headers['content-length'] === undefined ? undefined : Number(request.headers['content-length']);

/** Of 1 to 70 characters, says RFC 2046, section 5.1.1; the parser fails on a very long one. */
function hasUsableBoundary(request: FastifyRequest) {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(request.headers['content-type'] ?? '');
  const length = (boundary?.[1] ?? boundary?.[2] ?? '').length;
  return length >= 1 && length <= 70;
}

/** A form that ends in the middle of a file is reported by that file's stream. */
const isTornForm = (error: unknown) => error instanceof Error && /unexpected end of/i.test(error.message);

/** Our own disk failed, which is no fault of the form's. */
class StagingFailure extends Error {
  constructor(cause: unknown) {
    super('an upload could not be staged', { cause });
  }
}

/** What the parser throws on a broken or oversized form is the sender's doing. */
function asRefusal(error: unknown): unknown {
  if (error instanceof StagingFailure) return error;
  if ((error as { statusCode?: number }).statusCode === 413) {
    return new AppError('too-large', 'This form is too large.');
  }
  return unreadable();
}

const unreadable = () => badInput('The form could not be read. Please try again.');
