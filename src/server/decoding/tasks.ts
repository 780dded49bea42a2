import type { ErrorCode } from '#shared/errors.ts';
import type { PassageRequest } from '../audio/decoder/cut-passage.ts';
import type { CopyRequest } from '../audio/decoder/encode-copy.ts';
import type { AudioFacts, AudioRules } from '../audio/rules.ts';
import type { Thumbnail } from '../image/render-thumbnail.ts';

/**
 * The decoder's tasks by name, with their input and result. A feature adds a task by merging into this
 * interface, and `main.decode.ts` runs the task.
 */
export interface DecoderTasks {
  inspect: { given: { rules: AudioRules; ffmpegPath: string | null }; done: { facts: AudioFacts } };
  copy: { given: { wanted: CopyRequest; ffmpegPath: string }; done: { isWorthwhile: boolean } };
  passage: { given: { wanted: PassageRequest; ffmpegPath: string | null }; done: object };
  thumbnail: { given: object; done: { thumbnail: Thumbnail } };
}

type NamedTasks = { [N in keyof DecoderTasks]: { name: N } & DecoderTasks[N]['given'] };
type UnionToIntersection<U> = (U extends unknown ? (part: U) => void : never) extends (part: infer I) => void
  ? I
  : never;

export type Task = NamedTasks[keyof DecoderTasks];
/** Result of a task. The fields that are present depend on the task. */
export type TaskResult = Partial<UnionToIntersection<DecoderTasks[keyof DecoderTasks]['done']>>;
export type DecoderMessage =
  | 'ready'
  /** Share of an inspection that is done, from 0 to 1. */
  | { progress: number }
  | { done: TaskResult }
  | { refused: { code: ErrorCode; message: string } }
  | { failed: string; code: string | null };
