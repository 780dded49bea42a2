import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { seekTo, playFrom } from '#web/audio/passage.ts';
import { getSoundActivity } from '#features/recordings/web/recorder/storing-recorder.ts';
import { getRecorderSettings } from '#features/recordings/web/recorder/recorder-settings.ts';
import { useRecorder } from '#features/recordings/web/recorder/use-recorder.ts';
import type { SoundActivity } from '#web/audio-ui/sound-activity.ts';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import { loadStoredAudio } from '#features/recordings/web/load-stored-audio.ts';
import { useUser } from '#web/api/session.ts';
import { createRecordingWriter } from '#features/recordings/web/takes/recording-writer.ts';
import { findUnlockedTakes, lockTake } from '#features/recordings/web/takes/take-locks.ts';
import { removeTake, getTakeStore, useTakes } from '#features/recordings/web/takes/use-takes.ts';
import { formatDurationInWords } from '#web/ui/format-duration.ts';
import { createUuid } from '#web/uploads/create-uuid.ts';
import type { FormUploadFile } from '#web/uploads/form-upload.ts';
import { useNavigationBlock } from '#web/navigation/use-navigation-block.ts';
import { useWarningBeforeLeaving } from '#web/navigation/warning-before-leaving.ts';
import type { Mark, VoiceComment } from '#features/feedback/contract.ts';
import {
  feedbackAudioSlot,
  MAX_MARKS,
  TOO_MANY_VOICE_COMMENTS_MESSAGE,
  MAX_VOICE_COMMENTS,
} from '#features/feedback/limits.ts';
import { formatMarkTime } from '#features/feedback/marks.ts';
import { MIN_MARK_SOUND_SECONDS, roundToTenth } from '../marks/mark-times.ts';
import { addMark } from '../marks/marking.ts';

/** Seconds by which the recording is rewound before its playback resumes after a voice comment. */
const REWIND_SECONDS = 2;

/**
 * Returns the `purpose` under which the device stores the voice comments of a reply.
 * @param of purpose of the reply's spoken part, such as 'reply 12'
 */
export const getVoiceTakesPurpose = (of: string) => `${of} voices`;

/** Mode in which a voice comment is recorded: while a key or a button is held, or from one press to the next. */
type RecordingMode = 'key' | 'pointer' | 'press';

type VoicePress = {
  id: string;
  at: number;
  wasPlaying: boolean;
  since: number;
  mode: RecordingMode;
  ended: AbortController;
};

/** Reason that nothing was recorded. 'slip': the press was too short. */
export type VoiceProblem = 'slip' | 'not ready' | 'too many';

/**
 * Location of a voice comment's audio. 'elsewhere' means another device; 'loading' means that the location is
 * not known yet.
 */
export type VoiceLocation = { audio: ChosenAudio } | { stored: VoiceComment } | 'loading' | 'elsewhere';

export type MarkVoices = ReturnType<typeof useMarkVoices>;

type Options = {
  /** Purpose of the reply's spoken part, such as 'reply 12'. */
  of: string;
  marks: readonly Mark[];
  /** Marks of other versions of the draft. Their voice comments stay on the device. */
  besides?: readonly Mark[];
  onMarks: (marks: readonly Mark[]) => void;
  /** The recording's audio element. */
  audio: HTMLAudioElement | null;
  /** Duration of the recording, in seconds. */
  duration: number;
  /** Voice comments of this reply that the server has. */
  stored?: readonly VoiceComment[];
};

const NONE: readonly never[] = [];

/**
 * Manages the voice comments of a reply. The device stores each voice comment as a take from its first
 * second, under the id by which its mark refers to it. If the tab was closed during recording, the take has
 * no mark yet, and gets a mark when the form is opened again.
 */
export function useMarkVoices(options: Options) {
  const { of, marks, besides = NONE, onMarks, audio, duration, stored = NONE } = options;
  const userId = useUser().id;
  const takes = useTakes(getVoiceTakesPurpose(of));
  const [sounds, setSounds] = useState<ReadonlyMap<string, ChosenAudio>>(new Map());
  const [mode, setMode] = useState<RecordingMode | null>(null);
  const [activity, setActivity] = useState<SoundActivity>(null);
  const [problem, setProblem] = useState<VoiceProblem | null>(null);
  const [isRestored, setIsRestored] = useState(false);
  const [announcement, setAnnouncement] = useState('');
  const pressed = useRef<VoicePress | null>(null);
  /** Ids of voice comments begun, restored or removed on this page, which must not be restored again. */
  const knownIds = useRef(new Set<string>());
  const hold = useTakeLocks(sounds);

  const resumePlayback = ({ at, wasPlaying }: VoicePress, back: number) => {
    if (!audio) return;
    const to = Math.max(0, at - back);
    if (wasPlaying) playFrom(audio, to);
    else seekTo(audio, to);
  };
  const finishPress = (why: VoiceProblem | null) => {
    const press = pressed.current;
    pressed.current = null;
    setMode(null);
    setProblem(why);
    if (!press) return;
    press.ended.abort();
    resumePlayback(press, why === null ? REWIND_SECONDS : 0);
  };
  const addVoiceMark = (made: Mark) => onMarks(addMark(made, { marks, openKey: null }).marks);

  const recorder = useRecorder({
    storeRecording: (name, onProblem) => {
      const { id = createUuid(), at = 0 } = pressed.current ?? {};
      const take = { ...{ userId, name, purpose: getVoiceTakesPurpose(of) }, sending: { start: at } };
      return createRecordingWriter(
        getTakeStore(),
        { ...take, origin: 'recorded', type: 'audio/wav' },
        onProblem,
        id,
      );
    },
    onProblem: () => undefined,
    onActivityChange(next) {
      setActivity(next);
      // Ends the press if recording has ended without a take.
      if (next === null && pressed.current) finishPress('not ready');
    },
    onTake(taken) {
      const press = pressed.current;
      if (!press) return;
      if ((taken.seconds ?? 0) < MIN_MARK_SOUND_SECONDS) {
        if (taken.kept) void removeTake(taken.kept.id);
        return finishPress('slip');
      }
      setSounds((before) => new Map(before).set(press.id, taken));
      const made = createVoiceMark(press.id, press.at, duration);
      addVoiceMark(made);
      setAnnouncement(
        `Voice comment at ${formatMarkTime(made)}: ${formatDurationInWords(taken.seconds ?? 0)}.`,
      );
      finishPress(null);
    },
  });
  const isOn = getSoundActivity(recorder) !== null;
  useNavigationBlock(isOn);
  useWarningBeforeLeaving([...sounds.values()].some(({ kept }) => !kept));

  const named = getVoiceIds(marks);
  const begin = (how: RecordingMode) => {
    if (!audio || isOn || pressed.current) return;
    if (named.length >= MAX_VOICE_COMMENTS || marks.length >= MAX_MARKS) return setProblem('too many');
    const id = createUuid();
    knownIds.current.add(id);
    hold(id);
    const ended = new AbortController();
    const at = audio.currentTime;
    pressed.current = { id, at, wasPlaying: !audio.paused, since: performance.now(), mode: how, ended };
    setMode(how);
    setProblem(null);
    setAnnouncement('');
    audio.pause();
    if (how === 'key') onVoiceKeyUp(ended.signal, (releasedAt) => endLatest({ releasedAt }));
    recorder.start({ processing: getRecorderSettings().processing });
  };
  // Uses the time of the release event, because a busy page may handle the event late.
  const end = ({ isClosing = false, releasedAt = performance.now() } = {}) => {
    const press = pressed.current;
    if (!press) return;
    if (isClosing) press.wasPlaying = false;
    press.ended.abort();
    if (press.mode !== 'press' && releasedAt - press.since < MIN_MARK_SOUND_SECONDS * 1000) {
      finishPress('slip');
      recorder.reset();
    } else recorder.stop();
  };
  const endLatest = useLatestCallback(end);
  useEffect(() => () => pressed.current?.ended.abort(), []);

  const restore = useEffectEvent((found: readonly Mark[]) => {
    const lost = found.filter(({ voice }) => voice !== undefined && !knownIds.current.has(voice));
    if (lost.length === 0) return;
    for (const id of getVoiceIds(lost)) knownIds.current.add(id);
    setIsRestored(true);
    onMarks(lost.reduce((all, made) => addMark(made, { marks: all, openKey: null }).marks, marks));
  });
  const key = named.join();
  useEffect(() => {
    if (!takes) return;
    let isHere = true;
    const find = async () => {
      const inMarks = new Set(key.split(','));
      const inOtherVersions = new Set(getVoiceIds(besides));
      // Skips voice comments that may have been sent. They must not become separate marks, because undo
      // creates a draft that contains their marks.
      const stray = takes.filter(
        ({ id, mayHaveArrived }) =>
          !mayHaveArrived && !inMarks.has(id) && !inOtherVersions.has(id) && !knownIds.current.has(id),
      );
      const free = await findUnlockedTakes(stray.map(({ id }) => id));
      const found: Mark[] = [];
      for (const take of takes.filter(({ id }) => inMarks.has(id) || free.has(id))) {
        const { id, sending } = take;
        if (!isHere) return;
        const storedVoice = await loadStoredAudio(getTakeStore(), take);
        if (!storedVoice || !isHere) continue;
        const isStray = !inMarks.has(id);
        if (isStray && (storedVoice.seconds ?? 0) < MIN_MARK_SOUND_SECONDS) {
          void removeTake(id);
          continue;
        }
        setSounds((before) => (before.has(id) ? before : new Map(before).set(id, storedVoice)));
        if (isStray) found.push(createVoiceMark(id, Number(sending?.['start'] ?? 0), duration));
      }
      if (isHere) restore(found);
    };
    find().catch(() => undefined);
    return () => {
      isHere = false;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- other versions come and go without a new take
  }, [takes, key, duration]);

  const removeVoices = (ids: readonly string[]) => {
    for (const id of ids) {
      knownIds.current.add(id);
      void removeTake(id);
    }
    setSounds((before) => new Map([...before].filter(([id]) => !ids.includes(id))));
  };
  const locateVoice = (id: string): VoiceLocation => {
    const here = sounds.get(id);
    if (here) return { audio: here };
    const there = stored.find((voice) => voice.id === id);
    if (there) return { stored: there };
    return takes && !takes.some((take) => take.id === id) ? 'elsewhere' : 'loading';
  };

  return {
    recorder,
    /** How the current voice comment is being recorded. */
    mode: isOn ? mode : null,
    isOn,
    activity,
    problem,
    /** Whether a voice comment without a mark was restored from the device. */
    isRestored,
    announcement,
    begin,
    /**
     * Stops recording, and discards a voice comment that is too short. With `isClosing`, playback of the
     * student's recording does not resume.
     */
    end,
    getLocation: locateVoice,
    /** Audio of the voice comment added last. It changes whenever a voice comment is added. */
    newestBlob: [...sounds.values()].at(-1)?.blob ?? null,
    /** Marks whose voice comments can't be sent from this device. */
    marksWithVoiceElsewhere: marks.filter(
      ({ voice }) => voice !== undefined && locateVoice(voice) === 'elsewhere',
    ),
    /** Files to upload with the marks. `kept` is the id of the voice comment's take. */
    files: named.flatMap((id): FormUploadFile[] => {
      const sound = sounds.get(id);
      return sound ? [{ blob: sound.blob, slot: feedbackAudioSlot.name, kept: id }] : [];
    }),
    /** Updates the marks, and deletes voice comments that no mark refers to any more. */
    change(next: readonly Mark[]) {
      const left = new Set([...getVoiceIds(next), ...getVoiceIds(besides)]);
      const gone = named.filter((id) => !left.has(id));
      if (gone.length > 0) removeVoices(gone);
      onMarks(next);
    },
    /** Deletes the voice comments of a discarded version of the draft, except those in the current marks. */
    removeVoicesOf: (others: readonly Mark[]) =>
      removeVoices(getVoiceIds(others).filter((id) => !named.includes(id))),
    /** Deletes all voice comments of a reply that is discarded. */
    clear: () => removeVoices([...new Set([...named, ...sounds.keys()])]),
  };
}

const getVoiceIds = (marks: readonly Mark[]) => marks.flatMap(({ voice }) => voice ?? []);

const createVoiceMark = (voice: string, at: number, duration: number): Mark => ({
  ...{ start: Math.min(roundToTenth(at), duration), end: null },
  ...{ text: '', voice },
});

/** Messages that say why nothing was recorded, and what to do. */
export const VOICE_PROBLEM_MESSAGES: Record<VoiceProblem, string> = {
  slip: 'Too short, so nothing was recorded. Keep holding while you speak.',
  'not ready': 'The microphone wasn’t ready, so nothing was recorded. Please try again.',
  'too many': TOO_MANY_VOICE_COMMENTS_MESSAGE,
};

/** Returns a stable function that calls the latest callback, for listeners that outlive a render. */
function useLatestCallback<A extends unknown[]>(callback: (...args: A) => void) {
  const latest = useRef(callback);
  useEffect(() => {
    latest.current = callback;
  });
  const [call] = useState(
    () =>
      (...args: A) =>
        latest.current(...args),
  );
  return call;
}

/**
 * Calls `then` with the event's time when V or Alt is released, or when the window loses focus and so receives
 * no more key events.
 */
function onVoiceKeyUp(signal: AbortSignal, then: (releasedAt: number) => void) {
  const isVoiceKey = ({ key, code }: KeyboardEvent) => key.toLowerCase() === 'v' || code === 'KeyV';
  const release = ({ timeStamp }: Event) => then(timeStamp);
  document.addEventListener(
    'keyup',
    (event) => (isVoiceKey(event) || event.key === 'Alt') && release(event),
    {
      signal,
    },
  );
  addEventListener('blur', release, { signal });
  // Prevents typing. With Alt, the held key would repeatedly type a character into the field.
  document.addEventListener('keydown', (event) => isVoiceKey(event) && event.preventDefault(), { signal });
}

/**
 * Locks the takes that this page uses, so that no other tab treats them as leftovers.
 * @returns a function that locks a take before it is in `sounds`
 */
function useTakeLocks(sounds: ReadonlyMap<string, unknown>) {
  const held = useRef(new Map<string, () => void>());
  const [hold] = useState(() => (id: string) => {
    if (!held.current.has(id)) held.current.set(id, lockTake(id));
  });
  useEffect(() => sounds.forEach((_, id) => hold(id)), [sounds, hold]);
  useEffect(() => {
    const all = held.current;
    return () => {
      for (const releaseLock of all.values()) releaseLock();
      all.clear();
    };
  }, []);
  return hold;
}

/** Explains why a reply cannot be sent from here: its voice comments at these marks are on another device. */
export const describeVoicesElsewhere = (marks: readonly Mark[]) =>
  marks.length === 1
    ? `Your voice comment at ${formatMarkTime(marks[0]!)} is on another device. Send it from there, or delete the comment here.`
    : `Your voice comments at ${marks.map(formatMarkTime).join(', ')} are on another device. Send them from there, or delete the comments here.`;
