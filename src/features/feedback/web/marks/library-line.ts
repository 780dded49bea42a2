import { audioFileUrl } from '../../../../platform/web/audio-ui/playback/media-url.ts';
import { apiQuery, queryClient } from '../../../../platform/web/query-client.ts';
import { lineAt, timedLinesOf } from './mark-lines.ts';
import type { FindLine } from './mark-player.ts';

/**
 * Lines of a melody as the library gives them to who is signed in, asked for anew each time: what was taken from
 * somebody, deleted or timed anew since is not heard. Rejects where the library answers nothing.
 */
export const libraryLine =
  (melodyId: number): FindLine =>
  async (melodyAt) => {
    const melody = await queryClient.fetchQuery({
      ...apiQuery('GET /api/melodies/{id}', { params: { id: melodyId } }),
      staleTime: 0,
    });
    const line = lineAt(timedLinesOf(melody), melodyAt);
    if (!line || !melody.audioUrl) return null;
    const { words, start, end } = line;
    return { words, start, end, src: audioFileUrl(melody.audioUrl) };
  };
