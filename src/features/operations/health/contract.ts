import { z } from 'zod';
import { defineEndpoint } from '#shared/endpoint.ts';

const readyDetail = z.object({
  damagedFiles: z
    .object({ missing: z.number(), changed: z.number(), names: z.array(z.string()) })
    .describe(
      'Files that are missing from the store or changed since upload; `names` lists the first of them.',
    ),
});

export const healthApi = {
  alive: defineEndpoint({
    method: 'GET',
    path: '/api/health',
    access: 'public',
    needsNoDatabase: true,
    summary: 'The process is up.',
    answers: { 200: z.object({ status: z.literal('ok') }) },
  }),
  ready: defineEndpoint({
    method: 'GET',
    path: '/api/ready',
    access: 'public',
    needsNoDatabase: true,
    summary:
      'Whether the server is ready: the database commits a write, and the media store works. `warnings` lists what needs attention. Admins get more detail.',
    answers: {
      200: z.object({
        status: z.literal('ready'),
        warnings: z
          .array(z.enum(['disk-low', 'media-slow']))
          .optional()
          .describe(
            "'disk-low': new recordings and files are rejected, everything else works. 'media-slow': the media store takes longer than a second to respond.",
          ),
        detail: readyDetail.optional(),
      }),
    },
    refusals: { 503: 'A recording would not be confirmed now' },
  }),
  status: defineEndpoint({
    method: 'GET',
    path: '/api/admin/server',
    access: 'admin',
    summary: 'The program’s version, and the state of its database, media store and disk.',
    answers: {
      200: z.object({
        version: z.string(),
        database: z.object({ isWritable: z.boolean() }),
        media: z.object({
          state: z
            .enum(['ok', 'slow', 'failed'])
            .describe("'slow': the media store takes longer than a second to respond."),
          damagedFiles: z.int().describe('Files that are missing from the store or changed since upload.'),
        }),
        disk: z
          .object({
            freeBytes: z.number(),
            totalBytes: z.number(),
            isLow: z.boolean().describe('New recordings and files are rejected.'),
          })
          .nullable()
          .describe('The disk of the data folder; null if its size is unknown.'),
      }),
    },
  }),
  openApi: defineEndpoint({
    method: 'GET',
    path: '/api/openapi.json',
    access: 'public',
    needsNoDatabase: true,
    summary: 'This document.',
    answers: { 200: z.record(z.string(), z.unknown()) },
  }),
};
