import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { isBeingRecorded, type SoundActivity } from '#web/audio-ui/sound-activity.ts';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import { loadStoredAudio } from '#features/recordings/web/load-stored-audio.ts';
import type { OpenRecordingWriter } from '#features/recordings/web/recorder/recording-storage.ts';
import { loadDraft, saveDraft } from '#web/drafts/draft-storage.ts';
import { useUser } from '#web/api/session.ts';
import type { StoredRecording, NewStoredRecording } from '#web/audio/stored-recording.ts';
import { createRecordingWriter } from '#features/recordings/web/takes/recording-writer.ts';
import { lockTake, findUnlockedTakes } from '#features/recordings/web/takes/take-locks.ts';
import { removeTake, getTakeStore, useTakes } from '#features/recordings/web/takes/use-takes.ts';
import { useWarningBeforeLeaving } from '#web/navigation/warning-before-leaving.ts';
import { createUuid } from '#web/uploads/create-uuid.ts';
import type { FormUploadFile } from '#web/uploads/form-upload.ts';
import { feedbackAudioSlot } from '../limits.ts';

/** Returns the `purpose` under which the device stores the spoken part of a reply. */
export const getReplyTakePurpose = (recordingId: number) => `reply ${recordingId}`;

/** Kind of audio that was restored: a whole recording, a recording that was cut off, or a chosen file. */
export type RestoredSoundKind = 'whole' | 'cut off' | 'file';

/**
 * Manages the spoken part of a reply. The device stores a recording under `purpose` from its first second, and
 * a file as soon as it is chosen. Both are restored after the tab was closed, the page crashed or the session
 * ended.
 */
export function useAudioReply(purpose: string) {
  const userId = useUser().id;
  const takes = useTakes(purpose);
  const [audio, setAudio] = useState<ChosenAudio | null>(null);
  const [activity, setActivity] = useState<SoundActivity>(null);
  const isRecording = isBeingRecorded(activity);
  const [restored, setRestored] = useState<RestoredSoundKind | null>(null);
  // Whether audio has been recorded, chosen, restored or removed on this page. From then on, nothing is
  // restored.
  const isFromHere = useRef(false);
  const firstTakes = useRef<readonly StoredRecording[]>(undefined);
  // The latest `audio`, for callbacks that captured an older value, because storing a chosen file takes a
  // moment.
  const current = useRef<ChosenAudio | null>(null);
  const setCurrentAudio = (next: ChosenAudio | null) => {
    setStoredFlag(next !== null);
    setAudio((current.current = next));
  };
  const [isLoading, setIsLoading] = useState(() => loadDraft(userId, getStoredFlagName(purpose)) !== null);
  const setStoredFlag = (isKept: boolean) => {
    saveDraft(userId, getStoredFlagName(purpose), isKept ? {} : null);
    setIsLoading(false);
  };

  const restore = useEffectEvent((found: ChosenAudio & { kept: StoredRecording }) => {
    isFromHere.current = true;
    const { origin, state } = found.kept;
    setRestored(origin === 'uploaded' ? 'file' : state === 'recording' ? 'cut off' : 'whole');
    setCurrentAudio(found);
  });
  /** @param isForGood true if no audio is stored for this reply; false if another tab may be using some */
  const stopLoading = useEffectEvent((isForGood: boolean) => {
    if (isForGood) setStoredFlag(false);
    else setIsLoading(false);
  });
  useEffect(() => {
    if (isFromHere.current || !takes) return;
    let isHere = true;
    // Restores audio that may already have been sent, but only when the form has just opened. Such audio
    // stays on the device for undo, which opens a new form. A form that was already open must not restore it.
    const isFirst = takes === (firstTakes.current ??= takes);
    const offered = takes.filter(({ mayHaveArrived }) => isFirst || !mayHaveArrived);
    const find = async () => {
      const free = await findUnlockedTakes(offered.map(({ id }) => id));
      const left = offered.findLast(({ id }) => free.has(id));
      const found = left && (await loadStoredAudio(getTakeStore(), left));
      if (!isHere || isFromHere.current) return;
      if (!found) return stopLoading(takes.length === 0);
      restore(found);
    };
    find().catch(() => stopLoading(false));
    return () => {
      isHere = false;
    };
  }, [takes]);

  const keptId = audio?.kept?.id ?? null;
  const { keep, release: releaseLocks } = useStoredFile({ userId, purpose }, current, setCurrentAudio);
  useEffect(() => {
    if (keptId === null) return;
    const leave = lockTake(keptId);
    releaseLocks();
    return leave;
  }, [keptId, releaseLocks]);

  // Warns only about a recording that could not be stored, because it exists only in this page. A chosen file
  // still exists in its folder.
  useWarningBeforeLeaving(audio?.origin === 'recorded' && !audio.kept);

  const choose = (chosen: ChosenAudio | null) => {
    isFromHere.current = true;
    const former = current.current;
    if (former && former.blob === chosen?.blob) {
      // The audio is the same, but its duration or waveform was added. Updates the stored copy with them.
      const { kept = chosen.kept } = former;
      const { seconds, peaks } = chosen;
      if (kept)
        void getTakeStore()
          .change(kept.id, { seconds, peaks })
          .catch(() => undefined);
      return setCurrentAudio({ ...chosen, kept: kept ?? null });
    }
    // Deletes replaced or removed audio from the device.
    if (former?.kept) void removeTake(former.kept.id);
    setRestored(null);
    setCurrentAudio(chosen);
    if (chosen?.origin === 'uploaded' && !chosen.kept) void keep(chosen);
  };
  const handleActivityChange = (next: SoundActivity) => {
    if (isBeingRecorded(next)) {
      isFromHere.current = true;
      setStoredFlag(true);
    }
    setActivity(next);
  };
  const storeRecording: OpenRecordingWriter = (name, onProblem) =>
    createRecordingWriter(
      getTakeStore(),
      { userId, purpose, origin: 'recorded', name, type: 'audio/wav' },
      onProblem,
    );

  // Treats a recording that the teacher has begun to replace like a recording in progress, because neither
  // may be sent.
  const isSetAside = !isRecording && audio?.isSetAside === true;
  return {
    audio,
    choose,
    /** Removes the audio from the form after sending, but not from the device, because undo needs it. */
    clearAfterSending: () => setCurrentAudio(null),
    isRecording: isRecording || isSetAside,
    isSetAside,
    activity,
    handleActivityChange,
    storeRecording,
    restored,
    /** Whether stored audio is still being read from the device. */
    isLoading: isLoading && audio === null,
  };
}

/**
 * Returns the name of the flag that is set as long as audio is stored on the device. Unlike the device's
 * database, the flag can be read synchronously.
 */
const getStoredFlagName = (purpose: string) => `kept sound ${purpose}`;

/**
 * Stores a chosen file on the device. Locks it before other tabs see it, because they would treat an unlocked
 * file as a leftover. If the device can't store the file, nothing is lost, because the user still has the
 * original.
 * @param current the current choice
 * @param onKept called with the audio and its stored copy
 * @returns a function that stores a file, and a function that releases the file's lock after the caller has
 *   taken its own lock
 */
function useStoredFile(
  owner: Pick<NewStoredRecording, 'userId' | 'purpose'>,
  current: RefObject<ChosenAudio | null>,
  onKept: (audio: ChosenAudio) => void,
) {
  const held = useRef(new Set<() => void>());
  const isHere = useRef(true);
  const [release] = useState(() => () => {
    for (const leave of held.current) leave();
    held.current.clear();
  });
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
      release();
    };
  }, [release]);

  async function keep({ blob, name, seconds, peaks }: ChosenAudio) {
    const id = createUuid();
    const leave = lockTake(id);
    try {
      const take = { ...owner, origin: 'uploaded', name, type: blob.type } as const;
      const storedTake = await getTakeStore().keepFile(take, blob, { seconds, peaks }, id);
      // Removes the stored copy if the file was replaced or sent while it was being stored.
      if (current.current?.blob !== blob) return await removeTake(id);
      const now = current.current;
      if (now.seconds !== seconds || now.peaks !== peaks)
        await getTakeStore().change(id, { seconds: now.seconds, peaks: now.peaks });
      if (isHere.current) {
        held.current.add(leave);
        onKept({ ...now, kept: storedTake });
      }
    } catch {
      // If storing fails, the file stays in this page's memory only.
    } finally {
      if (!held.current.has(leave)) leave();
    }
  }
  return { keep, release };
}

/** Returns the spoken part of a reply as a list of files to upload, which is empty if there is none. */
export const toReplyUploadFiles = (audio: ChosenAudio | null): FormUploadFile[] =>
  audio ? [{ blob: audio.blob, slot: feedbackAudioSlot.name, kept: audio.kept?.id }] : [];
