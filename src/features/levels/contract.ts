import { z } from 'zod';
import { endpoint } from '../../platform/contract/endpoint.ts';
import { message } from '../../platform/contract/shapes.ts';

export const level = z.object({ id: z.int(), name: z.string(), description: z.string().nullable() });
export type Level = z.output<typeof level>;

export const levelsApi = {
  mine: endpoint({
    method: 'GET',
    path: '/api/user/transmission-levels',
    access: 'signed-in',
    summary: 'The transmission levels that the caller may hear; admins: all.',
    answers: { 200: z.array(level) },
  }),
  all: endpoint({
    method: 'GET',
    path: '/api/admin/transmission-levels',
    access: 'admin',
    summary: 'All transmission levels.',
    answers: { 200: z.array(level) },
  }),
  initialise: endpoint({
    method: 'POST',
    path: '/api/init',
    access: 'admin',
    summary: 'Makes the default transmission levels when there are none; may be called any number of times.',
    answers: { 200: message },
  }),
};
