import { z } from 'zod';
import { endpoint } from '#shared/endpoint.ts';

const archive = { 200: { says: 'A ZIP archive, made while it is sent', types: ['application/zip'] } };

const BUSY = {
  403: 'Linked from a page of another site',
  429: 'As many exports of the caller are on their way as may be',
  503: 'As many exports of all are on their way as may be',
} as const;

const student = z.object({ id: z.uuid() });

const bytes = z
  .number()
  .describe('How large the files are together, in bytes; the archive is hardly larger.');

export const exportsApi = {
  ofStudent: endpoint({
    method: 'GET',
    path: '/api/users/{id}/export',
    access: 'signed-in',
    summary:
      'Everything of a student: recordings, messages and feedback as files, and a table. For the student, and for admins.',
    params: student,
    answers: {},
    raw: archive,
    refusals: { ...BUSY, 404: 'Unknown, no student, or another student' },
  }),
  sizeOfStudent: endpoint({
    method: 'GET',
    path: '/api/users/{id}/export/size',
    access: 'signed-in',
    summary: 'How much the export of a student has, for who may have it now.',
    params: student,
    answers: {
      200: z.object({ recordings: z.int(), replies: z.int(), bytes }).meta({ id: 'StudentExportSize' }),
    },
    refusals: { 404: 'Unknown, no student, or another student', 429: BUSY[429], 503: BUSY[503] },
  }),
  ofPractice: endpoint({
    method: 'GET',
    path: '/api/user/practice-log/export',
    access: 'student',
    isForOwnerOnly: true,
    summary: "The caller's practice log as a table.",
    answers: {},
    raw: { 200: { says: 'Days, melodies, minutes and times', types: ['text/csv'] } },
    refusals: { 403: BUSY[403] },
  }),
  ofLibrary: endpoint({
    method: 'GET',
    path: '/api/admin/library/export',
    access: 'admin',
    summary: 'The whole library: audio, pictures, texts, LRC files and a table.',
    answers: {},
    raw: archive,
    refusals: BUSY,
  }),
  sizeOfLibrary: endpoint({
    method: 'GET',
    path: '/api/admin/library/export/size',
    access: 'admin',
    summary: 'How much the export of the library has, if it may be had now.',
    answers: { 200: z.object({ melodies: z.int(), bytes }).meta({ id: 'LibraryExportSize' }) },
    refusals: { 429: BUSY[429], 503: BUSY[503] },
  }),
};
