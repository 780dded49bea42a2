import { z } from 'zod';
import { defineEndpoint } from '#shared/endpoint.ts';
import { createPersonNameSchema } from '#shared/person-name.ts';
import {
  countBody,
  createPageCursorSchema,
  cursorTime,
  createRequiredEmailSchema,
  numericId,
  createRequiredNumericIdSchema,
  messageBody,
  timestamp,
} from '#shared/schemas.ts';
import { user } from '#features/accounts/contract.ts';
import { EMAIL_REQUIRED_MESSAGE, MAX_NAME_LENGTH } from '#features/accounts/limits.ts';
import { REGISTRATION_REQUESTS_PAGE_SIZE } from './limits.ts';

const status = z.enum(['pending', 'approved']);

export const registration = z
  .object({
    id: z.int(),
    fullName: z.string(),
    email: z.string(),
    status,
    requestedAt: timestamp,
    processedAt: timestamp.nullable().describe('When the teacher approved it; null until then.'),
  })
  .meta({ id: 'Registration' });
export type Registration = z.output<typeof registration>;

export const registrationsApi = {
  request: defineEndpoint({
    method: 'POST',
    path: '/api/register-request',
    access: 'public',
    summary:
      'Asks the teacher for access. The response is the same whether or not the email is known or already pending.',
    body: z.object({
      fullName: createPersonNameSchema(MAX_NAME_LENGTH, 'Please enter your full name.'),
      email: createRequiredEmailSchema(EMAIL_REQUIRED_MESSAGE),
    }),
    answers: { 201: messageBody },
    refusals: { 429: 'Too many requests for one email or from one address' },
  }),
  list: defineEndpoint({
    method: 'GET',
    path: '/api/admin/registration-requests',
    access: 'admin',
    summary: 'The requests for access, newest first; with `status`, only the pending or the approved ones.',
    query: z.object({
      status: status.optional(),
      after: createPageCursorSchema(z.tuple([cursorTime, z.int()])).optional(),
    }),
    pageSize: REGISTRATION_REQUESTS_PAGE_SIZE,
    answers: { 200: z.array(registration) },
  }),
  countPending: defineEndpoint({
    method: 'GET',
    path: '/api/admin/registration-requests/count',
    access: 'admin',
    summary: 'How many requests for access are pending.',
    answers: { 200: countBody },
  }),
  recent: defineEndpoint({
    method: 'GET',
    path: '/api/admin/registration-requests/recent',
    access: 'admin',
    summary: 'The most recently approved requests, newest first, at most five.',
    answers: { 200: z.array(registration) },
  }),
  approve: defineEndpoint({
    method: 'POST',
    path: '/api/admin/approve-user',
    access: 'admin',
    summary: 'Creates a student from a request, grants the given levels, and emails the credentials.',
    body: z.object({
      requestId: createRequiredNumericIdSchema('No such request'),
      transmissionLevels: z.array(numericId).max(1000).optional(),
    }),
    answers: { 200: messageBody.extend({ user }) },
    refusals: {
      404: 'No such request',
      409: 'Already approved, or its email has an account',
    },
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: '/api/admin/registration-requests/{id}',
    access: 'admin',
    summary: 'Deletes a request, whatever its status. Nobody is notified.',
    params: z.object({ id: numericId }),
    answers: { 200: messageBody },
    refusals: { 404: 'No such request' },
  }),
};
