import { useEffect, useRef, useState } from 'react';
import { call, issuesOf, noteFault, sentenceOf } from '#web/api/call.ts';
import { useDraft } from '#web/drafts/use-draft.ts';
import { refresh } from '#web/api/query-client.ts';
import { NoTable } from '#web/tables/table.ts';
import { useStore } from '#web/use-store.ts';
import { before } from '#web/ui/sentences.ts';
import { useWarningBeforeLeaving } from '#web/navigation/warning-before-leaving.ts';
import { hindranceOf, waitAskedBy } from '#web/uploads/failed-try.ts';
import { type ChosenFile, createPageUpload } from '#web/uploads/page-upload.ts';
import type { Level } from '#features/people/levels/contract.ts';
import type { LevelMeanings } from '#features/people/levels/web/level-names.ts';
import { melodyAudioSlot, melodyThumbnailSlot } from '#features/melodies/limits.ts';
import { type Import, importDraft, type ImportRow, type Outcome, withSources } from './import-draft.ts';
import type { FolderFile } from './import-files.ts';
import { isChosen, type Known, levelOf, outlooksOf } from './import-plan.ts';
import { type Folder, NoFolder, readFolder } from './read-folder.ts';
import type { Source } from './read-source.ts';

const NOTHING: Known = { sources: new Map(), hashes: new Map(), sounds: new Map(), titles: new Set() };

/** Limits for sending ahead. The server limits the uploads it stores for one person. */
const AHEAD_FILES = 14;
const AHEAD_BYTES = 300 * 1024 * 1024;

/** State of an import: the chosen folder, the plan for each melody, and the outcomes. */
export function useImport(levels: readonly Level[]) {
  const draft = useDraft(importDraft);
  const current = draft.value;
  const [folder, setFolder] = useState<(Folder & { files: readonly FolderFile[] }) | null>(null);
  const [known, setKnown] = useState(NOTHING);
  const [reading, setReading] = useState<{ done: number; of: number } | null>(null);
  const [isLookingUp, setIsLookingUp] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [upload] = useState(() => createPageUpload({}));
  const sending = useStore(upload);
  const [isRunning, setIsRunning] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const run = useRef<AbortController>(null);
  const outlooks = current ? outlooksOf(current, levels, known) : [];
  const entries = (current?.rows ?? []).map((row, index) => {
    const status = outlooks[index]!;
    return {
      ...{
        row,
        outlook: status,
        source: known.sources.get(row.key) ?? null,
        isChosen: isChosen(row, status),
      },
      level: levelOf(row, current!, levels),
    };
  });
  useWarningBeforeLeaving(isRunning && current?.isAdding === true);
  useEffect(
    () => () => {
      run.current?.abort();
      upload.end();
    },
    [upload],
  );

  const change = (next: (before: Import) => Import) => {
    const before = draft.latest();
    if (before) draft.change(next(before));
  };
  const changeRow = (key: string, part: Partial<ImportRow>) =>
    change((before) => ({
      ...before,
      rows: before.rows.map((row) => (row.key === key ? { ...row, ...part } : row)),
    }));

  async function addFiles(files: readonly FolderFile[]) {
    const all = [...(folder?.files ?? []), ...files];
    setProblem(null);
    setReading({ done: 0, of: 0 });
    try {
      const read = await readFolder(all, (done, of) => setReading({ done, of }));
      draft.change(withSources(draft.latest(), read.sources));
      setFolder({ ...read, files: all });
      const sources = new Map(read.sources.map((source) => [source.key, source]));
      setKnown((before) => ({ ...before, sources }));
      setReading(null);
      setIsLookingUp(true);
      void lookUp(read.sources).finally(() => setIsLookingUp(false));
    } catch (error) {
      const isExplained = error instanceof NoFolder || error instanceof NoTable;
      if (!isExplained) noteFault(error);
      setProblem(isExplained ? error.message : sentenceOf(error, 'These files couldn’t be read.'));
      setReading(null);
    }
  }

  /**
   * Finds duplicates among the files and in the library. Runs while the teacher looks over the list, before anything
   * is added.
   */
  async function lookUp(sources: readonly Source[]) {
    const hashes = new Map<string, string>();
    for (const { key, sound } of sources) {
      const hash = sound && (await sha256Of(sound));
      if (hash) hashes.set(key, hash);
    }
    setKnown((before) => ({ ...before, hashes }));
    const titles = (draft.latest()?.rows ?? [])
      .map(({ title }) => title)
      .filter((title) => title.length <= 200);
    try {
      const found = await call('POST /api/admin/melody-imports/known', {
        body: { sounds: [...new Set(hashes.values())], titles },
      });
      const sounds = new Map(found.sounds.map(({ sha256, title }) => [sha256, title]));
      setKnown((before) => ({ ...before, sounds, titles: new Set(found.titles) }));
    } catch (error) {
      noteFault(error);
    }
  }

  function note(key: string, outcome: Outcome) {
    changeRow(key, { outcome });
  }

  const filesOf = ({ row, source }: Shown): ChosenFile[] => [
    ...(source?.picture
      ? [{ blob: source.picture, slot: melodyThumbnailSlot.name, kept: row.pictureId }]
      : []),
    ...(source?.sound ? [{ blob: source.sound, slot: melodyAudioSlot.name, kept: row.soundId }] : []),
  ];

  const add = (importId: string, { row, source, level }: Shown) =>
    call('POST /api/melodies', {
      form: {
        title: row.title.trim(),
        transmissionLevelId: String(level),
        clientId: row.clientId,
        importId,
        ...(source?.description && { description: source.description }),
        ...(source?.video && { vimeoUrl: source.video }),
        ...(source?.words && { melodyText: source.words }),
        ...(source?.sound && source.timings.length > 0 && { timings: JSON.stringify(source.timings) }),
        ...(source?.picture && { thumbnailUploadId: row.pictureId }),
        ...(source?.sound && { audioUploadId: row.soundId }),
      },
    });

  /** Adds one melody. If the server refuses its picture, adds it without the picture. */
  async function addOne(importId: string, each: Shown): Promise<Outcome> {
    const send = async (row: Shown, pictureRefusal?: string): Promise<Outcome> => {
      const melody = await upload.send(filesOf(row), () => {
        changeRow(row.row.key, { isTried: true });
        return add(importId, row);
      });
      return { kind: 'added', melodyId: melody.id, pictureRefusal };
    };
    const { source } = each;
    if (source?.sound && !(await isReadable(source.sound))) return { kind: 'failed', text: UNREADABLE };
    if (!source?.picture) return send(each);
    const without = { ...each, source: { ...source, picture: null } };
    if (!(await isReadable(source.picture))) return send(without, 'The picture can’t be read.');
    try {
      return await send(each);
    } catch (error) {
      const refusal = issuesOf(error).find(({ path }) => path === 'thumbnail');
      if (!refusal) throw error;
      return send(without, refusal.message);
    }
  }

  async function addAll() {
    const begun = draft.latest();
    if (!begun) return;
    run.current?.abort();
    const { signal } = (run.current = new AbortController());
    change((now) => ({ ...now, isAdding: true }));
    setIsRunning(true);
    setFailure(null);
    try {
      for (const each of entries.filter((one) => one.isChosen)) {
        if (signal.aborted) return;
        try {
          note(each.row.key, await addOne(begun.id, each));
        } catch (error) {
          if (signal.aborted) return;
          // Without a session, connection or storage space, the next melody would fail too.
          if (['signed-out', 'offline'].includes(hindranceOf(error)) || waitAskedBy(error)) throw error;
          noteFault(error);
          note(each.row.key, {
            kind: 'failed',
            text: before('Failed to add melody', sentenceOf(error, 'Please try again.')),
          });
        }
      }
    } catch (error) {
      setFailure(sentenceOf(error, 'You’re offline right now.'));
    } finally {
      if (run.current?.signal === signal) setIsRunning(false);
      refresh(['/api/melodies', '/api/admin/transmission-levels', '/api/admin/melody-imports']);
    }
  }

  /** Uploads the first sounds while the teacher still looks over the list. Until added, they wait on the server. */
  async function sendAhead() {
    if (run.current || isRunning) return;
    const { signal } = (run.current = new AbortController());
    let [files, bytes] = [0, 0];
    for (const each of entries.filter((one) => one.isChosen)) {
      const chosen = filesOf(each);
      files += chosen.length;
      bytes += chosen.reduce((sum, { blob }) => sum + blob.size, 0);
      if (signal.aborted || files > AHEAD_FILES || bytes > AHEAD_BYTES) return;
      // An error is reported later, when the melody is added.
      await upload.send(chosen, () => Promise.resolve()).catch(() => undefined);
    }
  }

  return {
    ...{ current, shown: entries, folder, reading, isLookingUp, problem, sending, isRunning, failure },
    take: addFiles,
    changeRow,
    chooseLevel: (levelId: number | null) => change((before) => ({ ...before, levelId })),
    chooseMeanings: (levelMeanings: LevelMeanings) => change((before) => ({ ...before, levelMeanings })),
    sendAhead: () => void sendAhead(),
    add: () => {
      upload.stop();
      void addAll();
    },
    pause() {
      run.current?.abort();
      upload.stop();
      setIsRunning(false);
    },
    /** Discards the rows that have not been added. */
    close() {
      run.current?.abort();
      run.current = null;
      upload.stop();
      setIsRunning(false);
      setFolder(null);
      setKnown(NOTHING);
      draft.change(null);
    },
  };
}

export type MelodyImport = ReturnType<typeof useImport>;
export type Shown = MelodyImport['shown'][number];

const UNREADABLE = 'This file can’t be read. Please choose the folder again.';

/** Returns false for a file that was moved or deleted since it was chosen; its upload would never end. */
const isReadable = (file: Blob) =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

/** Returns the hash in hexadecimal; null if the page is not a secure context or the file can't be read. */
async function sha256Of(file: Blob): Promise<string | null> {
  const subtle = (crypto as Partial<Crypto>).subtle;
  if (!subtle) return null;
  try {
    const digest = new Uint8Array(await subtle.digest('SHA-256', await file.arrayBuffer()));
    return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  } catch {
    return null;
  }
}
