import { z } from 'zod';
import { endpoint } from '../../platform/contract/endpoint.ts';
import { message, requiredText } from '../../platform/contract/shapes.ts';
import { me, user } from '../users/contract.ts';

export const signInApi = {
  signIn: endpoint({
    method: 'POST',
    path: '/api/login',
    access: 'public',
    summary: 'Signs in with a username or an email, in any case, and sets the session cookie.',
    body: z.object({
      username: requiredText(254, 'Username is required'),
      // Longer than any password may be is simply a wrong one; the bound keeps hashing cheap.
      password: z.string().min(1, 'Password is required').max(1024),
    }),
    answers: { 200: user },
    refusals: { 401: 'Wrong name or password', 403: 'The account is disabled', 429: 'Too many tries' },
  }),
  signOut: endpoint({
    method: 'POST',
    path: '/api/logout',
    access: 'public',
    summary: 'Ends the session; also fine when there is none.',
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
    summary: 'Sends a browser to the sign-in page.',
    answers: {},
    raw: 'A redirect to /auth',
  }),
  signOutByLink: endpoint({
    method: 'GET',
    path: '/api/logout',
    access: 'public',
    summary:
      'Ends the session and sends the browser to the sign-in page; asked for by a foreign site it only redirects.',
    answers: {},
    raw: 'A redirect to /auth',
  }),
};
