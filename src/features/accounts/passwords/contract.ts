import { z } from 'zod';
import { endpoint } from '#shared/endpoint.ts';
import { emailOr, message, storable, time } from '#shared/shapes.ts';
import { EMAIL_REQUIRED, PASSWORD_MAX, PASSWORD_MIN } from '../limits.ts';
import { CURRENT_REQUIRED, LINK_INVALID, TOO_LONG, TOO_SHORT } from './limits.ts';

const newPassword = storable(z.string(TOO_SHORT).min(PASSWORD_MIN, TOO_SHORT).max(PASSWORD_MAX, TOO_LONG));

const session = z
  .object({
    id: z.uuid(),
    device: z.string().nullable().describe('Description of the browser; null if unknown.'),
    address: z.string().nullable().describe('Network address of the last use; null if unknown.'),
    createdAt: time,
    seenAt: time.describe('Time of the last use, to the hour.'),
    isCurrent: z.boolean(),
  })
  .meta({ id: 'Session' });

export const passwordsApi = {
  change: endpoint({
    method: 'POST',
    path: '/api/user/change-password',
    access: 'signed-in',
    summary: "Changes the caller's password and ends the caller's other sessions.",
    body: z.object({
      // Anything longer is simply a wrong password; the bound keeps hashing cheap.
      currentPassword: z.string(CURRENT_REQUIRED).min(1, CURRENT_REQUIRED).max(1024),
      newPassword,
    }),
    answers: { 200: message },
    refusals: {
      400: 'The current password is wrong, or the new one is the same',
      429: 'Too many wrong passwords',
    },
  }),
  keepIssued: endpoint({
    method: 'DELETE',
    path: '/api/user/password-suggestion',
    access: 'signed-in',
    summary: 'Dismisses the suggestion to choose a password.',
    answers: { 200: message },
  }),
  endOtherSessions: endpoint({
    method: 'POST',
    path: '/api/user/sign-out-elsewhere',
    access: 'signed-in',
    summary: "Ends all of the caller's sessions except this one.",
    answers: { 200: message },
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/api/user/sessions',
    access: 'signed-in',
    // Devices and addresses are private.
    isForOwnerOnly: true,
    summary: "The caller's sessions: this one first, then by last use.",
    answers: {
      200: z.array(session),
    },
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/api/user/sessions/{id}',
    access: 'signed-in',
    isForOwnerOnly: true,
    summary: "Ends one of the caller's sessions and invalidates open sign-in links and codes.",
    params: z.object({ id: z.uuid() }),
    answers: { 200: message },
    refusals: { 404: "Unknown, ended, or another user's session" },
  }),
  requestReset: endpoint({
    method: 'POST',
    path: '/api/password-reset/request',
    access: 'public',
    summary:
      'Emails a link to choose a new password. The response is the same whether or not the email has an account.',
    body: z.object({ email: emailOr(EMAIL_REQUIRED) }),
    answers: { 200: message },
    refusals: { 429: 'Too many requests from one address, or from one address for one email' },
  }),
  confirmReset: endpoint({
    method: 'POST',
    path: '/api/password-reset/confirm',
    access: 'public',
    summary: 'Sets a new password with the token of an emailed link and ends all sessions of its user.',
    body: z.object({
      token: z.string(LINK_INVALID).min(1, LINK_INVALID).max(200, LINK_INVALID),
      newPassword,
      removePasskeys: z
        .boolean()
        .default(false)
        .describe('Whether to remove all passkeys too; refused for a user who must use one.'),
    }),
    answers: { 200: message },
    refusals: { 400: 'The link is unknown, used, older than 24 hours, or older than the last two' },
  }),
};
