import { extname } from 'node:path';
import { AppError } from '#shared/errors.ts';
import { FILE_DAMAGED_MESSAGE } from '#shared/media.ts';
import type { RowPage } from '#server/db/page.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { ZipWriter } from '#server/zip.ts';
import type { FilesService } from '#features/operations/files/server/service.ts';
import { toCsv, type CsvRow } from '#shared/csv.ts';

/**
 * Runs a query that reads many rows. It may have to wait, because only a few such queries may run concurrently.
 */
export type RunQueuedQuery = <T>(query: () => Promise<T>) => Promise<T>;

export type ExportArchive = ReturnType<typeof createExportArchive>;

/** Creates functions that add files to an export. They record what could not be added. */
export function createExportArchive(
  zip: ZipWriter,
  files: FilesService,
  viewer: Caller,
  inTurn: RunQueuedQuery,
  at: Date,
) {
  const missing: string[] = [];

  const addText = (path: string, text: string, modified = at) => zip.add(path, Buffer.from(text), modified);

  async function open(name: string, type: 'audio' | 'image') {
    const file = await files.find(name, type, viewer);
    return { file, content: await files.open(file, { start: 0, end: file.size - 1 }) };
  }

  return {
    addText,

    /**
     * Adds a stored file that the viewer may open. If its checksum turns out to be wrong, records that but
     * still returns the path.
     * @param stem path of the file in the export, without the extension
     * @returns the path; null if there is no file, or it is missing or damaged
     * @throws if the store is unreachable, or the file is truncated
     */
    async addFile(name: string | null, type: 'audio' | 'image', stem: string, modified: Date) {
      if (name === null) return null;
      const path = stem + extname(name);
      const opened = await open(name, type).catch((error: unknown) => describeMissing(error));
      if (typeof opened === 'string') {
        missing.push(`${path}: ${opened}`);
        return null;
      }
      const { file, content } = opened;
      const sha256 = await zip.addStream(path, content, { size: file.size, modified });
      if (sha256 !== file.sha256) missing.push(`${path}: ${CHANGED}`);
      return path;
    },

    /**
     * Yields the pages of a list sorted by id, newest first. Leaves out rows added during the export. Records
     * how many rows were deleted during the export.
     */
    async *readPages<Item>(
      noun: { one: string; many: string },
      list: (before?: number) => Promise<RowPage<Item>>,
    ) {
      let page = await inTurn(() => list());
      const { total } = page;
      let read = 0;
      for (;;) {
        yield page.rows;
        read += page.rows.length;
        if (!page.next || !('before' in page.next)) break;
        const { before } = page.next;
        page = await inTurn(() => list(before));
      }
      const deleted = total - read;
      if (deleted > 0)
        missing.push(
          `${deleted === 1 ? `1 ${noun.one} was` : `${deleted} ${noun.many} were`} deleted while this download was being prepared.`,
        );
    },

    /** Adds the table and, if anything could not be added, `missing.txt` with the reasons. */
    async finish(path: string, table: CsvRow[]) {
      await addText(path, toCsv(table));
      if (missing.length > 0) await addText('missing.txt', `${missing.join('\n')}\n`);
    },
  };
}

const CHANGED = 'it is damaged on the server, so it may not play.';

/** Describes why a file is missing from the export. @throws errors that don't concern this file */
function describeMissing(error: unknown): string {
  if (error instanceof AppError && error.code === 'not-found') return 'it has been deleted.';
  if (error instanceof AppError && error.message === FILE_DAMAGED_MESSAGE)
    return 'it is damaged on the server.';
  throw error;
}
