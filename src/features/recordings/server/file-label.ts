import type { NewMediaFile } from '#server/media/media-repository.ts';

/** What the name of a recording's file says about the recording. */
export type RecordingLabel = {
  studentId: string;
  /** Idempotency key of the submission. */
  clientId: string;
  melodyId: number | null;
  submittedAt: Date;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const UUID_BYTES = 16;
const ID_BYTES = 4;
const TIME_BYTES = 6;
const LABELLED_NAME = /^[0-9a-f]{32}-([\w-]{56})\.\w+$/;

/**
 * Adds a label to the name of a recording's file, so that the recording can be recovered if its rows are lost in
 * a failover. The label is packed, because version 0.2.0, which may run on the same database, rejects names of
 * more than 100 characters. Leaves the name unchanged if the student's id is not a UUID.
 */
export function labelFile({ path, row }: NewMediaFile, label: RecordingLabel): NewMediaFile {
  if (!UUID.test(label.studentId)) return { path, row };
  const bytes = Buffer.alloc(2 * UUID_BYTES + ID_BYTES + TIME_BYTES);
  bytes.write(label.studentId.replaceAll('-', ''), 0, 'hex');
  bytes.write(label.clientId.replaceAll('-', ''), UUID_BYTES, 'hex');
  bytes.writeUInt32BE(label.melodyId ?? 0, 2 * UUID_BYTES);
  bytes.writeUIntBE(label.submittedAt.getTime(), 2 * UUID_BYTES + ID_BYTES, TIME_BYTES);
  return { path, row: { ...row, name: row.name.replace('.', `-${bytes.toString('base64url')}.`) } };
}

/** Returns the label in a file's name; null if the name has none. */
export function parseLabel(name: string): RecordingLabel | null {
  const packed = LABELLED_NAME.exec(name)?.[1];
  if (!packed) return null;
  const bytes = Buffer.from(packed, 'base64url');
  return {
    studentId: toUuid(bytes.subarray(0, UUID_BYTES)),
    clientId: toUuid(bytes.subarray(UUID_BYTES, 2 * UUID_BYTES)),
    melodyId: bytes.readUInt32BE(2 * UUID_BYTES) || null,
    submittedAt: new Date(bytes.readUIntBE(2 * UUID_BYTES + ID_BYTES, TIME_BYTES)),
  };
}

const toUuid = (bytes: Buffer) =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
