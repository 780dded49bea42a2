import { z } from 'zod';
import { endpoint } from '../../platform/contract/endpoint.ts';
import { email, message, requiredText } from '../../platform/contract/shapes.ts';
import { NAME_MAX } from '../users/limits.ts';

export const registrationsApi = {
  request: endpoint({
    method: 'POST',
    path: '/api/register-request',
    access: 'public',
    summary:
      'Asks the teacher for access. Answers alike whether or not the email is known or already waiting.',
    body: z.object({ fullName: requiredText(NAME_MAX, 'Please enter your full name.'), email }),
    answers: { 201: message },
    refusals: { 429: 'Too many requests for one email or from one address' },
  }),
};
