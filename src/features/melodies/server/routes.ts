import { getSearchWords } from '#shared/search-words.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { countBulkOutcomes } from '#server/bulk-item.ts';
import type { melodiesApi } from '../contract.ts';
import type { MelodiesService } from './service.ts';

export const createMelodiesRoutes = (melodies: MelodiesService): Handlers<typeof melodiesApi> => ({
  list: async ({ caller, query: { transmissionLevelId: levelId, q = '', view }, signal }) => {
    const words = getSearchWords(q);
    if (words.length === 0) return melodies.listShared(caller, view, levelId);
    return { version: null, make: () => melodies.search(caller, view, words, levelId, signal) };
  },
  use: async () => ({ status: 200, body: await melodies.listUsage() }),
  timed: async ({ caller }) => ({ status: 200, body: await melodies.listTimedMelodyIds(caller) }),
  one: async ({ caller, params }) => ({ status: 200, body: await melodies.get(caller, params.id) }),
  add: async ({ caller, body, files }) => {
    const { melody, isNew } = await melodies.add(body, files, caller);
    return { status: isNew ? 201 : 200, body: melody };
  },
  change: async ({ caller, params, body, files }) => {
    const { removeAudio, removeThumbnail, ...changed } = body;
    const removed = { audioFile: removeAudio === 'true', thumbnail: removeThumbnail === 'true' };
    return { status: 200, body: await melodies.change(params.id, changed, files, removed, caller) };
  },
  remove: async ({ params }) => {
    await melodies.remove(params.id);
    return { status: 200, body: { message: 'Melody deleted' } };
  },
  changeMany: async ({ body, caller }) => {
    const results = await melodies.changeMany(body, caller);
    return { status: 200, body: { ...countBulkOutcomes(results), results } };
  },
});
