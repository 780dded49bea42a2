import { z } from 'zod';
import { endpoint } from '../../platform/contract/endpoint.ts';
import { message, requiredText } from '../../platform/contract/shapes.ts';
import { me, user } from '../users/contract.ts';

export const signInApi = {
  signIn: endpoint({
    method: 'POST',
    path: '/api/login',
    access: 'public',
    summary: 'Signs in with a username or an email, ignoring case, and sets the session cookie.',
    body: z
      .object({
        username: requiredText(254, 'Username is required'),
        // Anything longer is simply a wrong password; the bound keeps hashing cheap.
        password: z.string().min(1, 'Password is required').max(1024),
      })
      .meta({ examples: [{ username: 'tashi', password: 'a-lotus-in-the-lake' }] }),
    answers: { 200: user },
    refusals: { 401: 'Wrong name or password', 403: 'The account is disabled', 429: 'Too many attempts' },
  }),
  signOut: endpoint({
    method: 'POST',
    path: '/api/logout',
    access: 'public',
    summary: 'Ends the session; a no-op if there is none.',
    answers: { 200: message },
  }),
  whoAmI: endpoint({
    method: 'GET',
    path: '/api/user',
    access: 'signed-in',
    summary: 'The signed-in user.',
    answers: { 200: me },
  }),
  goToSignIn: endpoint({
    method: 'GET',
    path: '/api/login',
    access: 'public',
    summary: 'Redirects a browser to the sign-in page.',
    answers: {},
    raw: { 302: { says: 'A redirect to /auth' } },
  }),
  signOutByLink: endpoint({
    method: 'GET',
    path: '/api/logout',
    access: 'public',
    summary:
      'Ends the session and redirects to the sign-in page; a request from a foreign site only redirects.',
    answers: {},
    raw: { 302: { says: 'A redirect to /auth' } },
  }),
};
