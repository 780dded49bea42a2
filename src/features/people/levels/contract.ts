import { z } from 'zod';
import { defineEndpoint, MAX_LONG_TEXT_JSON_BYTES } from '#shared/endpoint.ts';
import {
  numericId,
  messageBody,
  createRequiredSingleLineTextSchema,
  createLimitedTextSchema,
} from '#shared/schemas.ts';
import { MAX_LEVEL_DESCRIPTION_LENGTH, MAX_LEVEL_NAME_LENGTH } from './limits.ts';

export const level = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string().nullable(),
    neverKept: z.boolean().describe('Whether its melodies are never available offline.'),
  })
  .meta({ id: 'Level', examples: [{ id: 1, name: 'Open to All', description: null, neverKept: false }] });
export type Level = z.output<typeof level>;

/** A level and the number of melodies that use it. Only a level that no melody uses can be deleted. */
export const managedLevel = level.extend({ melodyCount: z.int() }).meta({ id: 'ManagedLevel' });
export type ManagedLevel = z.output<typeof managedLevel>;

const name = createRequiredSingleLineTextSchema(MAX_LEVEL_NAME_LENGTH, 'Please give the level a name.');
const description = createLimitedTextSchema(MAX_LEVEL_DESCRIPTION_LENGTH).nullable().optional();
const neverKept = z.boolean().optional();

export const levelsApi = {
  mine: defineEndpoint({
    method: 'GET',
    path: '/api/user/transmission-levels',
    access: 'signed-in',
    summary: 'The transmission levels that the caller may hear; all for admins.',
    answers: { 200: z.array(level) },
  }),
  all: defineEndpoint({
    method: 'GET',
    path: '/api/admin/transmission-levels',
    access: 'admin',
    summary: 'All transmission levels.',
    answers: { 200: z.array(managedLevel) },
  }),
  initialise: defineEndpoint({
    method: 'POST',
    path: '/api/init',
    access: 'admin',
    summary: 'Creates the default transmission levels if there are none; idempotent.',
    answers: { 200: messageBody },
  }),
  add: defineEndpoint({
    method: 'POST',
    path: '/api/admin/transmission-levels',
    access: 'admin',
    summary: 'Adds a level, which nobody has yet.',
    body: z.object({ name, description, neverKept }),
    bodyBytes: MAX_LONG_TEXT_JSON_BYTES,
    answers: { 201: managedLevel },
    refusals: { 409: 'The name is taken' },
  }),
  change: defineEndpoint({
    method: 'PUT',
    path: '/api/admin/transmission-levels/{id}',
    access: 'admin',
    summary:
      'Renames or describes a level, or sets whether its melodies are available offline. Absent fields stay, and an empty description is removed.',
    params: z.object({ id: numericId }),
    body: z.object({ name: name.optional(), description, neverKept }),
    bodyBytes: MAX_LONG_TEXT_JSON_BYTES,
    answers: { 200: managedLevel },
    refusals: { 404: 'No such level', 409: 'The name is taken' },
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: '/api/admin/transmission-levels/{id}',
    access: 'admin',
    summary: 'Deletes a level that no melody uses, and revokes it from everyone.',
    params: z.object({ id: numericId }),
    answers: { 200: messageBody },
    refusals: { 404: 'No such level', 409: 'A melody uses it' },
  }),
};
