import type { Db } from '#server/db/database.ts';
import { formatDisplayName } from '#shared/display-name.ts';
import { createNotFoundError } from '#shared/errors.ts';
import type { Clock } from '#server/clock.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { ZipWriter } from '#server/zip.ts';
import type { AgreementsService } from '#features/teaching-notes/agreements/server/service.ts';
import type { AuditService } from '#features/audit/server/service.ts';
import type { FeedbackService } from '#features/feedback/server/service.ts';
import type { FilesService } from '#features/operations/files/server/service.ts';
import type { MelodiesService } from '#features/melodies/server/service.ts';
import type { PracticeLogService } from '#features/practice/log/server/service.ts';
import type { RecordingsService } from '#features/recordings/server/service.ts';
import type { UsersService } from '#features/people/users/server/service.ts';
import { buildAgreementsTable } from './agreements-table.ts';
import { createExportArchive, type RunQueuedQuery } from './archive.ts';
import { toSafeFileName } from './file-names.ts';
import { toCsv } from '#shared/csv.ts';
import { addMelodiesToArchive } from './library-archive.ts';
import { buildPracticeTable } from './practice-table.ts';
import { addRecordingsToArchive } from './student-archive.ts';
import { formatUtcDate, composeLibraryReadme, composeStudentReadme } from './texts.ts';

export type ExportsService = ReturnType<typeof createExportsService>;

export type ExportFile = {
  /** File name of the archive, with extension. */
  name: string;
  /**
   * Adds everything to the archive. Lists missing and damaged files in `missing.txt`.
   * @throws any error that prevents the archive from being completed
   */
  write(zip: ZipWriter, inTurn: RunQueuedQuery): Promise<void>;
};

/** Creates the service that exports data in formats that people can use without the program. */
export function createExportsService(deps: {
  db: Db;
  users: UsersService;
  recordings: RecordingsService;
  feedback: FeedbackService;
  melodies: MelodiesService;
  practiceLog: PracticeLogService;
  agreements: AgreementsService;
  files: FilesService;
  audit: AuditService;
  clock: Clock;
  community: { appName: string; teacherTitle: string };
}) {
  const { db, users, recordings, feedback, melodies, practiceLog, agreements } = deps;
  const { files, audit, clock, community } = deps;
  const { appName, teacherTitle } = community;

  /**
   * Returns a student whose data the viewer may export.
   * @throws AppError 'not-found' for an unknown user, another student or an admin, who has no recordings
   */
  async function getStudent(id: string, viewer: Caller) {
    if (viewer.role !== 'admin' && viewer.id !== id) throw userNotFound();
    const user = await users.get(id);
    if (user.role !== 'student') throw userNotFound();
    return user;
  }

  const getFileName = (what: string, at: Date, ending = 'zip') =>
    `${toSafeFileName(`${appName}, ${what}`)}, ${formatUtcDate(at)}.${ending}`;

  return {
    /**
     * Exports all of a student's data as of the start of the export, without what is deleted while it runs.
     * Leaves out drafts of replies, which belong to the teacher, and melodies, which are not the student's.
     * Includes the practice log only if the viewer is the student, in a session that was not started with a
     * code from a teacher. An export by an admin is recorded in the audit log.
     * @param viewer the student or an admin
     * @throws AppError 'not-found'
     */
    async createStudentExport(id: string, viewer: Caller): Promise<ExportFile> {
      const student = await getStudent(id, viewer);
      const name = formatDisplayName(student);
      const at = clock();
      return {
        name: getFileName(name, at),
        async write(zip, inTurn) {
          // Records the export before anything is sent, so that every export by a teacher has an entry.
          if (viewer.id !== id) await audit.record(db, viewer, 'student-exported', name);
          const archive = createExportArchive(zip, files, viewer, inTurn, at);
          await archive.addText('README.txt', composeStudentReadme(appName, name, at));
          if (viewer.id === id && viewer.codeShownBy === null) {
            const table = await buildPracticeTable(practiceLog, student, inTurn);
            if (table.length > 1) await archive.addText('practice.csv', toCsv(table));
          }
          const agreementRows = await buildAgreementsTable(agreements, student, archive);
          if (agreementRows.length > 1) await archive.addText('agreements.csv', toCsv(agreementRows));
          await addRecordingsToArchive({ recordings, feedback, teacherTitle }, student, archive, inTurn);
        },
      };
    },

    /**
     * Returns the numbers of recordings and replies in a student's export, and the size of their audio.
     * @throws AppError 'not-found' like `createStudentExport`
     */
    async getStudentExportSize(id: string, viewer: Caller) {
      const { recordingCount, feedbackCount } = await getStudent(id, viewer);
      const bytes = (await recordings.bytesOf(id)) + (await feedback.getSoundBytes(id));
      return { recordings: recordingCount, replies: feedbackCount, bytes };
    },

    /** Returns a student's own practice log as a CSV file. */
    async createPracticeExport(student: Caller, inTurn: RunQueuedQuery) {
      const table = await buildPracticeTable(practiceLog, student, inTurn);
      return { name: getFileName('practice', clock(), 'csv'), text: toCsv(table) };
    },

    /**
     * Exports all melodies as of the start, without those deleted during the export. Records the export in the
     * audit log.
     */
    createLibraryExport(admin: Caller): ExportFile {
      const at = clock();
      return {
        name: getFileName('library', at),
        async write(zip, inTurn) {
          await audit.record(db, admin, 'library-exported', appName);
          const archive = createExportArchive(zip, files, admin, inTurn, at);
          await archive.addText('README.txt', composeLibraryReadme(appName, at));
          await addMelodiesToArchive(melodies, archive);
        },
      };
    },

    getLibraryExportSize: () => melodies.getLibrarySize(),
  };
}

const userNotFound = () => createNotFoundError('This user no longer exists');
