import { z } from 'zod';
import { endpoint } from '../../platform/contract/endpoint.ts';
import { email, message } from '../../platform/contract/shapes.ts';
import { PASSWORD_MAX, PASSWORD_MIN } from '../users/limits.ts';

const newPassword = z
  .string()
  .min(PASSWORD_MIN, `New password must be at least ${PASSWORD_MIN} characters long.`)
  .max(PASSWORD_MAX, `New password must be at most ${PASSWORD_MAX} characters long.`);

export const passwordsApi = {
  change: endpoint({
    method: 'POST',
    path: '/api/user/change-password',
    access: 'signed-in',
    summary: "Changes the caller's password and ends the caller's other sessions.",
    body: z.object({
      currentPassword: z.string().min(1, 'Please enter your current password.').max(1024),
      newPassword,
    }),
    answers: { 200: message },
    refusals: { 429: 'Too many wrong passwords' },
  }),
  keepIssued: endpoint({
    method: 'DELETE',
    path: '/api/user/password-suggestion',
    access: 'signed-in',
    summary: 'No longer suggests to choose a password of one’s own.',
    answers: { 200: message },
  }),
  endOtherSessions: endpoint({
    method: 'POST',
    path: '/api/user/sign-out-elsewhere',
    access: 'signed-in',
    summary: "Ends all of the caller's sessions but this one.",
    answers: { 200: message },
  }),
  requestReset: endpoint({
    method: 'POST',
    path: '/api/password-reset/request',
    access: 'public',
    summary: 'Mails a link to choose a new password. Answers alike whether or not the email has an account.',
    body: z.object({ email }),
    answers: { 200: message },
    refusals: { 429: 'Too many requests for one email or from one address' },
  }),
  confirmReset: endpoint({
    method: 'POST',
    path: '/api/password-reset/confirm',
    access: 'public',
    summary: 'Sets a new password by the token of a mailed link and ends all sessions of its user.',
    body: z.object({ token: z.string().max(200), newPassword }),
    answers: { 200: message },
  }),
};
