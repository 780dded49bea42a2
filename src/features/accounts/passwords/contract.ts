import { z } from 'zod';
import { defineEndpoint } from '#shared/endpoint.ts';
import { createRequiredEmailSchema, messageBody, refineStorableText, timestamp } from '#shared/schemas.ts';
import { EMAIL_REQUIRED_MESSAGE, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../limits.ts';
import {
  CURRENT_PASSWORD_REQUIRED_MESSAGE,
  RESET_LINK_INVALID_MESSAGE,
  PASSWORD_TOO_LONG_MESSAGE,
  PASSWORD_TOO_SHORT_MESSAGE,
} from './limits.ts';

const newPassword = refineStorableText(
  z
    .string(PASSWORD_TOO_SHORT_MESSAGE)
    .min(MIN_PASSWORD_LENGTH, PASSWORD_TOO_SHORT_MESSAGE)
    .max(MAX_PASSWORD_LENGTH, PASSWORD_TOO_LONG_MESSAGE),
);

const session = z
  .object({
    id: z.uuid(),
    device: z.string().nullable().describe('Description of the browser; null if unknown.'),
    address: z.string().nullable().describe('Network address of the last use; null if unknown.'),
    createdAt: timestamp,
    seenAt: timestamp.describe('Time of the last use, to the hour.'),
    isCurrent: z.boolean(),
  })
  .meta({ id: 'Session' });

export const passwordsApi = {
  change: defineEndpoint({
    method: 'POST',
    path: '/api/user/change-password',
    access: 'signed-in',
    summary: "Changes the caller's password and ends the caller's other sessions.",
    body: z.object({
      // The maximum is above the length of any valid password, and low enough to keep hashing cheap.
      currentPassword: z
        .string(CURRENT_PASSWORD_REQUIRED_MESSAGE)
        .min(1, CURRENT_PASSWORD_REQUIRED_MESSAGE)
        .max(1024),
      newPassword,
    }),
    answers: { 200: messageBody },
    refusals: {
      400: 'The current password is wrong, or the new one is the same',
      429: 'Too many wrong passwords',
    },
  }),
  keepIssued: defineEndpoint({
    method: 'DELETE',
    path: '/api/user/password-suggestion',
    access: 'signed-in',
    summary: 'Dismisses the suggestion to choose a password.',
    answers: { 200: messageBody },
  }),
  endOtherSessions: defineEndpoint({
    method: 'POST',
    path: '/api/user/sign-out-elsewhere',
    access: 'signed-in',
    summary: "Ends all of the caller's sessions except this one.",
    answers: { 200: messageBody },
  }),
  sessions: defineEndpoint({
    method: 'GET',
    path: '/api/user/sessions',
    access: 'signed-in',
    // Devices and IP addresses are private, so a session that a teacher's code started must not list them.
    isForOwnerOnly: true,
    summary: "The caller's sessions: this one first, then by last use.",
    answers: {
      200: z.array(session),
    },
  }),
  endSession: defineEndpoint({
    method: 'DELETE',
    path: '/api/user/sessions/{id}',
    access: 'signed-in',
    isForOwnerOnly: true,
    summary: "Ends one of the caller's sessions and invalidates open sign-in links and codes.",
    params: z.object({ id: z.uuid() }),
    answers: { 200: messageBody },
    refusals: { 404: "Unknown, ended, or another user's session" },
  }),
  requestReset: defineEndpoint({
    method: 'POST',
    path: '/api/password-reset/request',
    access: 'public',
    summary:
      'Emails a link to choose a new password. The response is the same whether or not the email has an account.',
    body: z.object({ email: createRequiredEmailSchema(EMAIL_REQUIRED_MESSAGE) }),
    answers: { 200: messageBody },
    refusals: { 429: 'Too many requests from one address, or from one address for one email' },
  }),
  confirmReset: defineEndpoint({
    method: 'POST',
    path: '/api/password-reset/confirm',
    access: 'public',
    summary: 'Sets a new password with the token of an emailed link and ends all sessions of its user.',
    body: z.object({
      token: z
        .string(RESET_LINK_INVALID_MESSAGE)
        .min(1, RESET_LINK_INVALID_MESSAGE)
        .max(200, RESET_LINK_INVALID_MESSAGE),
      newPassword,
      removePasskeys: z
        .boolean()
        .default(false)
        .describe('Whether to remove all passkeys too; refused for a user who must use one.'),
    }),
    answers: { 200: messageBody },
    refusals: { 400: 'The link is unknown, used, older than 24 hours, or older than the last two' },
  }),
};
