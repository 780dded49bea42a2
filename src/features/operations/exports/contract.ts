import { z } from 'zod';
import { defineEndpoint } from '#shared/endpoint.ts';

const archive = { 200: { description: 'A ZIP archive, made while it is sent', types: ['application/zip'] } };

const BUSY = {
  403: 'Requested by a page of another site',
  429: 'The caller has the maximum number of exports in progress',
  503: 'The maximum number of exports is in progress',
} as const;

const student = z.object({ id: z.uuid() });

const bytes = z.number().describe('Total size of the files in bytes; the archive is hardly larger.');

export const exportsApi = {
  ofStudent: defineEndpoint({
    method: 'GET',
    path: '/api/users/{id}/export',
    access: 'signed-in',
    summary:
      "A student's data as an archive: recordings, messages and feedback as files, and a table. For the student and for admins.",
    params: student,
    answers: {},
    raw: archive,
    refusals: { ...BUSY, 404: 'Unknown, not a student, or another student' },
  }),
  sizeOfStudent: defineEndpoint({
    method: 'GET',
    path: '/api/users/{id}/export/size',
    access: 'signed-in',
    summary: "Size of a student's export, for callers who may download it now.",
    params: student,
    answers: {
      200: z.object({ recordings: z.int(), replies: z.int(), bytes }).meta({ id: 'StudentExportSize' }),
    },
    refusals: { 404: 'Unknown, not a student, or another student', 429: BUSY[429], 503: BUSY[503] },
  }),
  ofPractice: defineEndpoint({
    method: 'GET',
    path: '/api/user/practice-log/export',
    access: 'student',
    isForOwnerOnly: true,
    summary: "The caller's practice log as a table.",
    answers: {},
    raw: { 200: { description: 'Days, melodies, minutes and times', types: ['text/csv'] } },
    refusals: { 403: BUSY[403] },
  }),
  ofLibrary: defineEndpoint({
    method: 'GET',
    path: '/api/admin/library/export',
    access: 'admin',
    summary: 'The whole library as an archive: audio, pictures, texts, LRC files and a table.',
    answers: {},
    raw: archive,
    refusals: BUSY,
  }),
  sizeOfLibrary: defineEndpoint({
    method: 'GET',
    path: '/api/admin/library/export/size',
    access: 'admin',
    summary: "Size of the library's export, if the caller may download it now.",
    answers: { 200: z.object({ melodies: z.int(), bytes }).meta({ id: 'LibraryExportSize' }) },
    refusals: { 429: BUSY[429], 503: BUSY[503] },
  }),
};
