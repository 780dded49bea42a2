import { clsx } from 'clsx';
import { useEffect, useRef, useState } from 'react';
import type { UploadSlot } from '#shared/media.ts';
import { decodePeaks } from '../playback/bars.ts';
import { MAX_RECORDING_SECONDS } from '#web/audio/recording-format.ts';
import { toast } from '#web/ui/toasts.ts';
import { FileDropField } from '#web/ui/file-drop-field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ChosenAudioPlayer, unplayableMessages as unplayableNotes } from './chosen-audio-player.tsx';
import type { SoundActivity } from '../sound-activity.ts';
import type { ChosenAudio } from './chosen-audio.ts';
import { readDuration, computeFilePeaks } from './analyse-file.ts';
import { findAudioFileProblem } from './find-audio-file-problem.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';

type AudioFilePickerProps = {
  value: ChosenAudio | null;
  onChange: (value: ChosenAudio | null) => void;
  slot: Pick<UploadSlot, 'tooLargeFrom' | 'tooLargeMessage'>;
  onActivityChange: (activity: SoundActivity) => void;
  /** Shown below a file that is longer than a recording may be. */
  longNote?: string | undefined;
  /** A file that another app has shared; handled as if it had been chosen here. */
  given?: Promise<File | null> | null;
  /** Whether the file input takes the focus, because the user has opened the panel by pressing 'Upload'. */
  isFocused?: boolean;
  className?: string;
};

type Rejection = { title: string; sentence: string };

/**
 * Picks an audio file from the device. Rejects a file before sending if it is too large, or if the server is
 * certain to reject it.
 */
export function AudioFilePicker(props: AudioFilePickerProps) {
  const {
    value,
    onChange,
    onActivityChange,
    slot,
    longNote,
    given = null,
    isFocused = false,
    className,
  } = props;
  const panel = useRef<HTMLDivElement>(null);
  const [refusal, setRefusal] = useState<Rejection | null>(null);
  const [inspected, setInspected] = useState<File | null>(null);
  const [waiting, setWaiting] = useState<File | null>(null);
  const [unplayable, setUnplayable] = useState<Blob | null>(null);
  const latest = useRef(value);
  const newest = useRef<File | null>(null);
  const file = value?.origin === 'uploaded' && value.blob instanceof File ? value.blob : null;

  useEffect(() => {
    latest.current = value;
  }, [value]);
  useEffect(() => {
    if (isFocused) panel.current?.querySelector('input')?.focus();
  }, [isFocused]);

  const isInspecting = inspected !== null;
  useEffect(() => {
    if (!isInspecting) return;
    onActivityChange('inspecting');
    return () => onActivityChange(null);
  }, [isInspecting]); // oxlint-disable-line react/exhaustive-deps

  const add = (part: Partial<ChosenAudio>, to: File) => {
    if (latest.current?.blob !== to) return;
    latest.current = { ...latest.current, ...part };
    onChange(latest.current);
  };
  const take = (chosen: File) => {
    latest.current = { blob: chosen, name: chosen.name, seconds: null, origin: 'uploaded', peaks: null };
    onChange(latest.current);
    void readDuration(chosen).then(async (seconds) => {
      if (seconds !== null) add({ seconds }, chosen);
      const peaks = await computeFilePeaks(chosen, seconds);
      if (peaks !== null) add({ peaks }, chosen);
      setUnplayable(seconds === null && peaks === null ? chosen : null);
    });
  };
  const refuse = (refused: Rejection) => {
    setRefusal(refused);
    const description = [refused.sentence, latest.current && getStillChosenNote(latest.current)]
      .join(' ')
      .trim();
    toast({ title: refused.title, description, variant: 'destructive' });
  };
  const choose = async (chosen: File | null) => {
    newest.current = chosen;
    setRefusal(null);
    setInspected(null);
    if (chosen === null) return onChange(null);
    if (chosen.size >= slot.tooLargeFrom)
      return refuse({ title: 'File Too Large', sentence: slot.tooLargeMessage });
    setInspected(chosen);
    const sentence = await explainFileProblem(chosen);
    if (newest.current !== chosen) return;
    setInspected(null);
    if (sentence !== null) return refuse({ title: 'Can’t use this file', sentence });
    if (latest.current?.origin === 'recorded') setWaiting(chosen);
    else take(chosen);
  };
  useEffect(() => {
    void given?.then((file) => file && choose(file));
  }, [given]); // oxlint-disable-line react/exhaustive-deps

  return (
    <div ref={panel} className={clsx('grid grid-cols-[minmax(0,1fr)] gap-4', className)}>
      <FileDropField
        label="Audio file"
        hint="MP3, WAV or M4A, smaller than 10 MB."
        accept="audio/*,.mp3,.wav,.m4a"
        file={file}
        onChange={(chosen) => void choose(chosen)}
      />
      {refusal && (
        <Notice tone="danger" title={refusal.title}>
          <p>{refusal.sentence}</p>
          {value && <p>{getStillChosenNote(value)}</p>}
        </Notice>
      )}
      {value && file && file !== unplayable && <ChosenAudioPlayer audio={value} title={value.name} />}
      {file && file === unplayable && <Notice tone="amber">{unplayableNotes.uploaded}</Notice>}
      {file && isSilent(value) && <Notice tone="amber">{SILENT_FILE}</Notice>}
      {longNote && file && (value?.seconds ?? 0) > MAX_RECORDING_SECONDS && (
        <Notice tone="amber">{longNote}</Notice>
      )}
      {value?.origin === 'recorded' && !waiting && (
        <Notice isQuiet>Choosing a file will replace your recording.</Notice>
      )}
      <ReplaceTakeDialog
        file={waiting}
        onKeep={() => setWaiting(null)}
        onReplace={() => {
          if (waiting) take(waiting);
          setWaiting(null);
        }}
      />
    </div>
  );
}

const SILENT_FILE =
  'We can’t hear anything in this file. Play it before you send it, or choose another file.';

/**
 * Returns whether every bar of the waveform is 0. The peak is then below about −54 dBFS, the level below which
 * the recorder also counts a take as silent.
 */
const isSilent = (audio: ChosenAudio | null) =>
  decodePeaks(audio?.peaks ?? null)?.every((bar) => bar === 0) ?? false;

/** Returns a note about the audio that is still chosen after another file was rejected. */
const getStillChosenNote = ({ origin, name }: ChosenAudio) =>
  origin === 'uploaded' ? `Still using “${name}”.` : 'Your recording is still here.';

/**
 * Returns why this file can't be used; null if it can. Also checks that the file is readable, because a file in
 * cloud storage may no longer be available.
 */
async function explainFileProblem(file: File): Promise<string | null> {
  try {
    return await findAudioFileProblem(file);
  } catch {
    return 'This file couldn’t be read. Please choose it again.';
  }
}

type ReplaceTakeDialogProps = { file: File | null; onKeep: () => void; onReplace: () => void };

/** Asks for confirmation before a file replaces an unsent take, because the take exists nowhere else. */
function ReplaceTakeDialog({ file, onKeep, onReplace }: ReplaceTakeDialogProps) {
  return (
    <ConfirmDialog
      isOpen={file !== null}
      onOpenChange={(isOpen) => !isOpen && onKeep()}
      sentence="Replace your recording with this file?"
      note="Your recording hasn’t been sent. It will be deleted and can’t be recovered."
      cancelLabel="Keep my recording"
      confirmLabel="Use the file"
      isDangerous
      onConfirm={onReplace}
    />
  );
}
