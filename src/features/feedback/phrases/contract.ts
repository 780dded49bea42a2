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
    text: z.string().describe("`{name}` stands for the student's name."),
  })
  .meta({
    id: 'Phrase',
    examples: [{ id: 1, name: 'breath', text: 'Let each line end before the next breath, {name}.' }],
  });
export type Phrase = z.output<typeof phrase>;

/** A sentence that the caller has written before. */
export const offeredPhrase = z
  .object({ text: z.string().describe("With `{name}` in place of the student's name.") })
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
    summary: 'Sentences that the caller has written in feedback on a melody, most frequent first.',
    params,
    answers: { 200: z.array(offeredPhrase) },
    refusals: { 404: 'Unknown melody' },
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/admin/phrases',
    access: 'admin',
    summary: 'Adds a phrase. Adding the same one again changes nothing.',
    body: kept,
    answers: { 201: phrase },
    refusals: { 409: "Another of the caller's phrases has this name, or the caller has the maximum number" },
  }),
  change: endpoint({
    method: 'PUT',
    path: '/api/admin/phrases/{id}',
    access: 'admin',
    summary: "Changes one of the caller's phrases.",
    params,
    body: kept,
    answers: { 200: phrase },
    refusals: { 404: "Unknown, or another admin's", 409: "Another of the caller's phrases has this name" },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/admin/phrases/{id}',
    access: 'admin',
    summary: "Deletes one of the caller's phrases.",
    params,
    answers: { 200: message },
    refusals: { 404: "Unknown, or another admin's" },
  }),
};
