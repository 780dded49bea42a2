import { clsx } from 'clsx';
import { useEffect, useRef, useState } from 'react';
import type { UploadSlot } from '../../contract/media.ts';
import { MAX_SECONDS } from '../audio/recording-format.ts';
import { toast } from '../toasts.ts';
import { FileDrop } from '../ui/file-drop.tsx';
import { Notice } from '../ui/notice.tsx';
import { ChosenPlayer } from './chosen-player.tsx';
import type { ChosenAudio } from './chosen-audio.ts';
import { lengthOf, peaksOfFile } from './examine-file.ts';
import { ReplaceTakeDialog } from './replace-take-dialog.tsx';

type UploadPanelProps = {
  value: ChosenAudio | null;
  onChange: (value: ChosenAudio | null) => void;
  slot: Pick<UploadSlot, 'tooLargeFrom' | 'tooLargeMessage'>;
  /** The press that brought it here wants a file. */
  isFocused?: boolean;
  className?: string;
};

const FILE_TOO_LARGE = 'File Too Large';

/** One audio file from the device; too large a one is refused before anything is sent. */
export function UploadPanel({ value, onChange, slot, isFocused = false, className }: UploadPanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  const [isTooLarge, setIsTooLarge] = useState(false);
  const [waiting, setWaiting] = useState<File | null>(null);
  const latest = useRef(value);
  const file = value?.origin === 'uploaded' && value.blob instanceof File ? value.blob : null;

  useEffect(() => {
    latest.current = value;
  }, [value]);
  useEffect(() => {
    if (isFocused) panel.current?.querySelector('input')?.focus();
  }, [isFocused]);

  const add = (part: Partial<ChosenAudio>, to: File) => {
    if (latest.current?.blob !== to) return;
    latest.current = { ...latest.current, ...part };
    onChange(latest.current);
  };
  const take = (chosen: File) => {
    latest.current = { blob: chosen, name: chosen.name, seconds: null, origin: 'uploaded', peaks: null };
    onChange(latest.current);
    void lengthOf(chosen).then(async (seconds) => {
      if (seconds !== null) add({ seconds }, chosen);
      const peaks = await peaksOfFile(chosen, seconds);
      if (peaks !== null) add({ peaks }, chosen);
    });
  };
  const choose = (chosen: File | null) => {
    const refused = chosen !== null && chosen.size >= slot.tooLargeFrom;
    setIsTooLarge(refused);
    if (refused)
      return toast({ title: FILE_TOO_LARGE, description: slot.tooLargeMessage, variant: 'destructive' });
    if (chosen === null) return onChange(null);
    if (value?.origin === 'recorded') setWaiting(chosen);
    else take(chosen);
  };

  return (
    <div ref={panel} className={clsx('grid gap-4', className)}>
      <FileDrop
        label="Audio file"
        hint="MP3, WAV or M4A, smaller than 10 MB."
        accept="audio/*,.mp3,.wav,.m4a"
        file={file}
        onChange={choose}
      />
      {isTooLarge && (
        <Notice tone="danger" title={FILE_TOO_LARGE}>
          {slot.tooLargeMessage}
        </Notice>
      )}
      {value && file && <ChosenPlayer audio={value} title={value.name} />}
      {file && (value?.seconds ?? 0) > MAX_SECONDS && (
        <Notice tone="amber">
          Practice recordings are usually up to 2 minutes. Yours is longer, and will be taken all the same.
        </Notice>
      )}
      {value?.origin === 'recorded' && !waiting && (
        <Notice isQuiet>You have made a recording. A file would take its place.</Notice>
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
