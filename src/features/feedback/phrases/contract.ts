import { z } from 'zod';
import { defineEndpoint } from '#shared/endpoint.ts';
import {
  numericId,
  messageBody,
  createRequiredSingleLineTextSchema,
  createLimitedTextSchema,
} from '#shared/schemas.ts';
import {
  MAX_PHRASE_NAME_LENGTH,
  INVALID_PHRASE_NAME_MESSAGE,
  MAX_PHRASE_TEXT_LENGTH,
  MISSING_PHRASE_TEXT_MESSAGE,
  MAX_PHRASES,
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

/** A sentence from the caller's earlier feedback. */
export const suggestedPhrase = z
  .object({ text: z.string().describe("With `{name}` in place of the student's name.") })
  .meta({ id: 'OfferedPhrase' });
export type SuggestedPhrase = z.output<typeof suggestedPhrase>;

const phraseBody = z.object({
  name: createRequiredSingleLineTextSchema(MAX_PHRASE_NAME_LENGTH, INVALID_PHRASE_NAME_MESSAGE).refine(
    (name) => /^[^\s/]+$/.test(name),
    {
      message: INVALID_PHRASE_NAME_MESSAGE,
    },
  ),
  text: createLimitedTextSchema(MAX_PHRASE_TEXT_LENGTH, MISSING_PHRASE_TEXT_MESSAGE)
    .overwrite((value) => value.trim())
    .min(1, MISSING_PHRASE_TEXT_MESSAGE),
});

const params = z.object({ id: numericId });

/** Endpoints for phrases that an admin writes often. Each admin sees only their own phrases. */
export const phrasesApi = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/admin/phrases',
    access: 'admin',
    summary: `The caller's phrases, by name; at most ${MAX_PHRASES}.`,
    answers: { 200: z.array(phrase) },
  }),
  offered: defineEndpoint({
    method: 'GET',
    path: '/api/admin/melodies/{id}/phrases',
    access: 'admin',
    summary: 'Sentences that the caller has written in feedback on a melody, most frequent first.',
    params,
    answers: { 200: z.array(suggestedPhrase) },
    refusals: { 404: 'Unknown melody' },
  }),
  add: defineEndpoint({
    method: 'POST',
    path: '/api/admin/phrases',
    access: 'admin',
    summary: 'Adds a phrase. Adding the same one again changes nothing.',
    body: phraseBody,
    answers: { 201: phrase },
    refusals: { 409: "Another of the caller's phrases has this name, or the caller has the maximum number" },
  }),
  change: defineEndpoint({
    method: 'PUT',
    path: '/api/admin/phrases/{id}',
    access: 'admin',
    summary: "Changes one of the caller's phrases.",
    params,
    body: phraseBody,
    answers: { 200: phrase },
    refusals: { 404: "Unknown, or another admin's", 409: "Another of the caller's phrases has this name" },
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: '/api/admin/phrases/{id}',
    access: 'admin',
    summary: "Deletes one of the caller's phrases.",
    params,
    answers: { 200: messageBody },
    refusals: { 404: "Unknown, or another admin's" },
  }),
};
