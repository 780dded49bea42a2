import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { inspectAudio, type AudioFacts } from '#server/audio/inspect.ts';

const known = new Map<string, AudioFacts>();

/**
 * Inspects a file, or returns the cached result for the same bytes, because most tests send the same second of
 * audio.
 */
export const inspectAudioWithCache: typeof inspectAudio = async (path, rules, decoders, options) => {
  const content = createHash('sha256').update(await readFile(path));
  const key = content.update(JSON.stringify([rules, decoders.ffmpegPath])).digest('hex');
  const facts = known.get(key) ?? (await inspectAudio(path, rules, decoders, options));
  known.set(key, facts);
  return facts;
};
