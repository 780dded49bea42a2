import type { ErrorCode } from '#shared/errors.ts';
import type { PassageRange } from '../audio/decoder/cut-passage.ts';
import type { SoundCopyRequest } from '../audio/decoder/encode-sound-copy.ts';
import type { AudioFacts, AudioRules } from '../audio/rules.ts';
import type { ThumbnailFacts } from '../image/render-thumbnail.ts';

/**
 * The decoder's tasks by name, with their input and result. A feature adds a task by merging into this
 * interface, and `main.decode.ts` runs the task.
 */
export interface DecoderTasks {
  inspect: { input: { rules: AudioRules; ffmpegPath: string | null }; result: { facts: AudioFacts } };
  copy: { input: { wanted: SoundCopyRequest; ffmpegPath: string }; result: { isWorthwhile: boolean } };
  passage: { input: { wanted: PassageRange; ffmpegPath: string | null }; result: object };
  thumbnail: { input: object; result: { thumbnail: ThumbnailFacts } };
}

type NamedTasks = { [N in keyof DecoderTasks]: { name: N } & DecoderTasks[N]['input'] };
type UnionToIntersection<U> = (U extends unknown ? (part: U) => void : never) extends (part: infer I) => void
  ? I
  : never;

export type DecoderTask = NamedTasks[keyof DecoderTasks];
/** Result of a task. The fields that are present depend on the task. */
export type DecoderTaskResult = Partial<UnionToIntersection<DecoderTasks[keyof DecoderTasks]['result']>>;
export type DecoderMessage =
  | 'ready'
  /** Fraction of the inspection that is done, from 0 to 1. */
  | { progress: number }
  | { done: DecoderTaskResult }
  | { refused: { code: ErrorCode; message: string } }
  | { failed: string; code: string | null };
