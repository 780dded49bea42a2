import { Download } from 'lucide-react';
import { useState } from 'react';
import { saveFile } from '#web/device/save-file.ts';
import { Button } from '#web/ui/button.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FileDropField } from '#web/ui/file-drop-field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { formatLrc, matchLrc, parseLrc, convertLrcToText, checkLrcLimits } from '../lrc.ts';
import { type SungLine, parseSungLines } from '../parse.ts';
import type { SungLineStart } from '../timings.ts';
import {
  getTimesAfterEndMessage,
  type LrcOutcomeMessage,
  LRC_WITHOUT_TIMES_MESSAGE,
  LRC_WORDS_MISMATCH_MESSAGE,
  describeLrcOutcome,
  readLrcFile,
} from './read-lrc.ts';

type LrcDialogProps = LrcFieldsProps & { isOpen: boolean; onClose: () => void };

/**
 * Dialog to import times from an LRC file, or to export times as an LRC file. LRC is the format in which
 * karaoke and music programs store timed lyrics.
 */
export const LrcDialog = ({ isOpen, onClose, ...fields }: LrcDialogProps) => (
  <Dialog isOpen={isOpen} onOpenChange={onClose} title="Timing file (LRC)">
    <LrcFields {...fields} />
  </Dialog>
);

type LrcFieldsProps = {
  title: string;
  text: string;
  /** Whether an import also sets the words, because the melody has none. */
  mayReplaceText: boolean;
  lines: readonly SungLine[];
  passages: readonly SungLineStart[];
  /** Duration of the melody, rounded up; null if it isn't known. */
  seconds: number | null;
  onImport: (passages: SungLineStart[], text: string, outcome: LrcOutcomeMessage) => void;
  onRefused: () => void;
};

type Refusal = { of: 'file' | 'pasted'; name: string; reason: string };

function LrcFields(props: LrcFieldsProps) {
  const { title, text, mayReplaceText, lines, passages, seconds, onImport, onRefused } = props;
  const [pasted, setPasted] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  /**
   * Deselects the rejected file, and shows the reason below the field that was used: the file or the pasted
   * text.
   */
  const showRefusal = (refused: Refusal) => {
    setFile(null);
    setRefusal(refused);
    onRefused();
  };
  const importLrc = (from: Omit<Refusal, 'reason'>, lrc: string) => {
    const found = parseLrc(lrc);
    const nextText = mayReplaceText ? convertLrcToText(found) : text;
    const nextLines = mayReplaceText ? parseSungLines(nextText) : lines;
    const { passages: matched, timedCount, unmatchedWords } = matchLrc(found, nextLines);
    if (timedCount === 0)
      return showRefusal({
        ...from,
        reason: found.length === 0 ? LRC_WITHOUT_TIMES_MESSAGE : LRC_WORDS_MISMATCH_MESSAGE,
      });
    if (seconds !== null && matched.some(({ start }) => start > seconds))
      return showRefusal({ ...from, reason: getTimesAfterEndMessage(seconds) });
    const tooMuch = checkLrcLimits(nextText, matched);
    if (tooMuch) return showRefusal({ ...from, reason: tooMuch });
    onImport(matched, nextText, describeLrcOutcome(timedCount, nextLines.length, unmatchedWords));
  };
  const importFile = async (chosen: File | null) => {
    setFile(chosen);
    setRefusal(null);
    if (!chosen) return;
    const from = { of: 'file', name: `“${chosen.name}”` } as const;
    const read = await readLrcFile(chosen);
    if ('refusal' in read) showRefusal({ ...from, reason: read.refusal });
    else importLrc(from, read.text);
  };
  const refused = (of: Refusal['of']) =>
    refusal?.of === of && (
      <Notice tone="danger" title={`Couldn’t use ${refusal.name}.`} className="mt-2">
        {refusal.reason} Your times haven’t changed.
      </Notice>
    );

  return (
    <div className="grid gap-5">
      <div>
        <FileDropField
          label="Import from a file"
          hint="We match the file’s lines to the melody’s lines by their words. You can undo this."
          accept=".lrc,text/plain"
          file={file}
          onChange={(chosen) => void importFile(chosen)}
        />
        {refused('file')}
      </div>
      <div>
        <TextArea
          label="Or paste it here"
          rows={4}
          spellCheck={false}
          placeholder="[00:04.20]Sangye chö dang"
          value={pasted}
          onChange={(event) => setPasted(event.target.value)}
        />
        {refused('pasted')}
        <Button
          className="mt-2"
          isInactive={pasted.trim() === ''}
          onClick={() => importLrc({ of: 'pasted', name: 'what you pasted' }, pasted)}
        >
          Use these times
        </Button>
      </div>
      <Button
        className="justify-self-start"
        icon={<Download />}
        isInactive={passages.length === 0}
        onClick={() =>
          saveFile(new Blob([formatLrc(title, lines, passages)], { type: 'text/plain' }), `${title}.lrc`)
        }
      >
        Download timing file
      </Button>
    </div>
  );
}
