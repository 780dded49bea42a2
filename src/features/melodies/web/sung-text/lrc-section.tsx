import { Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../platform/web/ui/button.tsx';
import { TextArea } from '../../../../platform/web/ui/text-area.tsx';
import { FileDrop } from '../../../../platform/web/ui/file-drop.tsx';
import { Notice } from '../../../../platform/web/ui/notice.tsx';
import { lrcIn, lrcOf, matchLrc, parseLrc, textOfLrc, tooMuchFor } from '../../sung-text/lrc.ts';
import { type SungLine, sungLinesOf } from '../../sung-text/parse.ts';
import type { Passage } from '../../sung-text/timings.ts';

type LrcSectionProps = {
  title: string;
  text: string;
  /** True for a melody that has no words of its own. */
  mayReplaceText: boolean;
  lines: readonly SungLine[];
  passages: readonly Passage[];
  onImport: (passages: Passage[], text: string) => void;
  onRefused: () => void;
};

type Outcome = { tone: 'success' | 'amber' | 'danger'; title: string; rest?: string };

/** A text of 200,000 characters with a stamp before each word is about a tenth of this. */
const LRC_MAX_BYTES = 4_000_000;

/** Imports times from an LRC file, which karaoke and music programs use, and exports them to one. */
export function LrcSection({
  title,
  text,
  mayReplaceText,
  lines,
  passages,
  onImport,
  onRefused,
}: LrcSectionProps) {
  const [pasted, setPasted] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  /** Rejects a file: it is not shown as chosen, and the notice that earlier times were saved is removed. */
  const refuse = (name: string, reason: string) => {
    setFile(null);
    setOutcome(refused(name, reason));
    onRefused();
  };
  const take = (name: string, lrc: string) => {
    const found = parseLrc(lrc);
    const nextText = mayReplaceText ? textOfLrc(found) : text;
    const nextLines = mayReplaceText ? sungLinesOf(nextText) : lines;
    const { passages: matched, timed, left } = matchLrc(found, nextLines);
    if (timed === 0) return refuse(name, NO_TIMES);
    const tooMuch = tooMuchFor(nextText, matched);
    if (tooMuch) return refuse(name, tooMuch);
    setOutcome(outcomeOf(timed, nextLines.length, left));
    onImport(matched, nextText);
  };
  const takeFile = async (chosen: File | null) => {
    setFile(chosen);
    setOutcome(null);
    if (!chosen) return;
    const name = `“${chosen.name}”`;
    if (chosen.size > LRC_MAX_BYTES) return refuse(name, TOO_LARGE);
    // It may have been moved or deleted since it was chosen.
    const lrc = await lrcIn(chosen).catch(() => undefined);
    if (lrc === undefined) refuse(name, UNREADABLE);
    else if (lrc === null) refuse(name, NOT_UTF8);
    else take(name, lrc);
  };
  const takePasted = () => {
    setFile(null);
    take('What you pasted', pasted);
  };

  return (
    <details className="mt-6 rounded-md border border-line">
      <summary className="min-h-12 px-4 py-3 font-semibold">LRC file</summary>
      <div className="grid gap-4 px-4 pb-4">
        <FileDrop
          label="Import from a file"
          hint="Its lines are matched to these by their words. Undo brings back what was there."
          accept=".lrc,text/plain"
          file={file}
          onChange={(chosen) => void takeFile(chosen)}
        />
        <TextArea
          label="Or paste it here"
          rows={4}
          spellCheck={false}
          placeholder="[00:04.20]Sangye chö dang"
          value={pasted}
          onChange={(event) => setPasted(event.target.value)}
        />
        <div className="flex flex-wrap gap-2">
          <Button disabled={pasted.trim() === ''} onClick={takePasted}>
            Use these times
          </Button>
          <Button
            icon={<Download aria-hidden="true" />}
            disabled={passages.length === 0}
            onClick={() => saveAs(`${title}.lrc`, lrcOf(title, lines, passages))}
          >
            Export LRC
          </Button>
        </div>
        {outcome && (
          <Notice tone={outcome.tone} title={outcome.title}>
            {outcome.rest}
          </Notice>
        )}
      </div>
    </details>
  );
}

const TOO_LARGE = 'This file is too large to be an LRC file.';
const UNREADABLE = 'This file could not be read.';
const NOT_UTF8 = 'It is not saved as UTF-8. Please save it as UTF-8 and choose it again.';
const NO_TIMES = 'No times were found in it. Lines should begin like [00:12.50].';

const refused = (name: string, reason: string): Outcome => ({
  tone: 'danger',
  title: `${name} was not taken.`,
  rest: `${reason} The times that were here have stayed.`,
});

function outcomeOf(timed: number, all: number, left: readonly string[]): Outcome {
  const some = left.slice(0, 3).map((words) => `“${words}”`);
  const rest = left.length > 3 ? ` and ${left.length - 3} more` : '';
  return {
    tone: left.length > 0 || timed < all ? 'amber' : 'success',
    title: `${timed} of ${all} lines have got a time.`,
    ...(left.length > 0 && { rest: `No line was found for ${some.join(', ')}${rest}.` }),
  };
}

/** Downloads a text as a file. */
function saveAs(name: string, text: string) {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ').trim();
  link.click();
  URL.revokeObjectURL(address);
}
