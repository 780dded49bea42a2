import { z } from 'zod';
import { endpoint } from '#shared/endpoint.ts';
import { id, message, requiredText, text } from '#shared/shapes.ts';
import {
  PHRASE_NAME_MAX,
  PHRASE_NAME_WRONG,
  PHRASE_TEXT_MAX,
  PHRASE_TEXT_MISSING,
  PHRASES_MAX,
} from './limits.ts';

export const phrase = z
  .object({
    id: z.int(),
    name: z.string().describe("Typed after '/'."),
    text: z.string().describe('`{name}` stands for the name of the student.'),
  })
  .meta({
    id: 'Phrase',
    examples: [{ id: 1, name: 'breath', text: 'Let each line end before the next breath, {name}.' }],
  });
export type Phrase = z.output<typeof phrase>;

/** A sentence that the caller has written before. */
export const offeredPhrase = z
  .object({ text: z.string().describe('With `{name}` in place of the name of the student.') })
  .meta({ id: 'OfferedPhrase' });
export type OfferedPhrase = z.output<typeof offeredPhrase>;

const kept = z.object({
  name: requiredText(PHRASE_NAME_MAX, PHRASE_NAME_WRONG).refine((name) => /^[^\s/]+$/.test(name), {
    message: PHRASE_NAME_WRONG,
  }),
  text: text(PHRASE_TEXT_MAX, PHRASE_TEXT_MISSING)
    .overwrite((value) => value.trim())
    .min(1, PHRASE_TEXT_MISSING),
});

const params = z.object({ id });

/** Phrases that an admin writes often. Each admin sees only their own. */
export const phrasesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/admin/phrases',
    access: 'admin',
    summary: `The caller's phrases, by name; at most ${PHRASES_MAX}.`,
    answers: { 200: z.array(phrase) },
  }),
  offered: endpoint({
    method: 'GET',
    path: '/api/admin/melodies/{id}/phrases',
    access: 'admin',
    summary: 'What the caller has written at a melody before, sentence by sentence: the most frequent first.',
    params,
    answers: { 200: z.array(offeredPhrase) },
    refusals: { 404: 'Unknown melody' },
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/admin/phrases',
    access: 'admin',
    summary: 'Keeps a phrase. The same one again changes nothing.',
    body: kept,
    answers: { 201: phrase },
    refusals: { 409: 'Another phrase of the caller has this name, or there are too many' },
  }),
  change: endpoint({
    method: 'PUT',
    path: '/api/admin/phrases/{id}',
    access: 'admin',
    summary: "Changes a phrase of the caller's.",
    params,
    body: kept,
    answers: { 200: phrase },
    refusals: { 404: "Unknown, or another admin's", 409: 'Another phrase of the caller has this name' },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/admin/phrases/{id}',
    access: 'admin',
    summary: "Removes a phrase of the caller's.",
    params,
    answers: { 200: message },
    refusals: { 404: "Unknown, or another admin's" },
  }),
};
