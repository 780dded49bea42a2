import { useEffect, useRef, useState } from 'react';
import { callApi, issuesOf, logUnexpectedError, getErrorMessage } from '#web/api/call.ts';
import { useFormDraft } from '#web/drafts/use-form-draft.ts';
import { refreshQueries } from '#web/api/query-client.ts';
import { TableError } from '#web/tables/table.ts';
import { useStore } from '#web/use-store.ts';
import { joinSentences } from '#web/ui/sentences.ts';
import { useWarningBeforeLeaving } from '#web/navigation/warning-before-leaving.ts';
import { classifyUploadFailure, getRequestedWait } from '#web/uploads/upload-failures.ts';
import { type FormUploadFile, createFormUpload } from '#web/uploads/form-upload.ts';
import type { Level } from '#features/people/levels/contract.ts';
import type { LevelNameMappings } from '#features/people/levels/web/level-names.ts';
import { melodyAudioSlot, melodyThumbnailSlot } from '#features/melodies/limits.ts';
import {
  type MelodyImportDraft,
  melodyImportDraftOptions,
  type MelodyImportRow,
  type MelodyImportRowOutcome,
  mergeSourcesIntoDraft,
} from './import-draft.ts';
import type { FolderFile } from './import-files.ts';
import {
  isMelodyImportRowSelected,
  type MelodyImportPlanInput,
  resolveLevelId,
  getMelodyImportRowStatuses,
} from './import-plan.ts';
import { type ImportFolder, ImportFolderError, readImportFolder } from './read-import-folder.ts';
import type { MelodySource } from './read-melody-source.ts';

const NOTHING_KNOWN: MelodyImportPlanInput = {
  sources: new Map(),
  hashes: new Map(),
  sounds: new Map(),
  titles: new Set(),
};

/**
 * Maximum number and total size of files to upload before the teacher starts the import. The server stores only
 * a limited number of uploads per user.
 */
const MAX_FILES_AHEAD = 14;
const MAX_BYTES_AHEAD = 300 * 1024 * 1024;

/** Manages an import: the chosen folder, the plan for each melody, and the outcomes. */
export function useMelodyImport(levels: readonly Level[]) {
  const draft = useFormDraft(melodyImportDraftOptions);
  const current = draft.value;
  const [folder, setFolder] = useState<(ImportFolder & { files: readonly FolderFile[] }) | null>(null);
  const [known, setKnown] = useState(NOTHING_KNOWN);
  const [reading, setReading] = useState<{ done: number; of: number } | null>(null);
  const [isLookingUp, setIsLookingUp] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [upload] = useState(() => createFormUpload({}));
  const sending = useStore(upload);
  const [isRunning, setIsRunning] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const run = useRef<AbortController>(null);
  const statuses = current ? getMelodyImportRowStatuses(current, levels, known) : [];
  const entries = (current?.rows ?? []).map((row, index) => {
    const status = statuses[index]!;
    return {
      ...{
        row,
        status,
        source: known.sources.get(row.key) ?? null,
        isChosen: isMelodyImportRowSelected(row, status),
      },
      level: resolveLevelId(row, current!, levels),
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

  const change = (next: (before: MelodyImportDraft) => MelodyImportDraft) => {
    const before = draft.latest();
    if (before) draft.change(next(before));
  };
  const changeRow = (key: string, part: Partial<MelodyImportRow>) =>
    change((before) => ({
      ...before,
      rows: before.rows.map((row) => (row.key === key ? { ...row, ...part } : row)),
    }));

  async function addFiles(files: readonly FolderFile[]) {
    const all = [...(folder?.files ?? []), ...files];
    setProblem(null);
    setReading({ done: 0, of: 0 });
    try {
      const read = await readImportFolder(all, (done, of) => setReading({ done, of }));
      draft.change(mergeSourcesIntoDraft(draft.latest(), read.sources));
      setFolder({ ...read, files: all });
      const sources = new Map(read.sources.map((source) => [source.key, source]));
      setKnown((before) => ({ ...before, sources }));
      setReading(null);
      setIsLookingUp(true);
      void lookUp(read.sources).finally(() => setIsLookingUp(false));
    } catch (error) {
      const isExplained = error instanceof ImportFolderError || error instanceof TableError;
      if (!isExplained) logUnexpectedError(error);
      setProblem(isExplained ? error.message : getErrorMessage(error, 'These files couldn’t be read.'));
      setReading(null);
    }
  }

  /**
   * Finds duplicates among the files and in the library. Runs while the teacher reviews the list, before
   * anything is added.
   */
  async function lookUp(sources: readonly MelodySource[]) {
    const hashes = new Map<string, string>();
    for (const { key, sound } of sources) {
      const hash = sound && (await computeSha256(sound));
      if (hash) hashes.set(key, hash);
    }
    setKnown((before) => ({ ...before, hashes }));
    const titles = (draft.latest()?.rows ?? [])
      .map(({ title }) => title)
      .filter((title) => title.length <= 200);
    try {
      const found = await callApi('POST /api/admin/melody-imports/known', {
        body: { sounds: [...new Set(hashes.values())], titles },
      });
      const sounds = new Map(found.sounds.map(({ sha256, title }) => [sha256, title]));
      setKnown((before) => ({ ...before, sounds, titles: new Set(found.titles) }));
    } catch (error) {
      logUnexpectedError(error);
    }
  }

  function setOutcome(key: string, outcome: MelodyImportRowOutcome) {
    changeRow(key, { outcome });
  }

  const getUploadFiles = ({ row, source }: MelodyImportEntry): FormUploadFile[] => [
    ...(source?.picture
      ? [{ blob: source.picture, slot: melodyThumbnailSlot.name, kept: row.pictureId }]
      : []),
    ...(source?.sound ? [{ blob: source.sound, slot: melodyAudioSlot.name, kept: row.soundId }] : []),
  ];

  const sendMelody = (importId: string, { row, source, level }: MelodyImportEntry) =>
    callApi('POST /api/melodies', {
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

  /**
   * Adds one melody, or returns a failure if its audio can't be read. If its picture can't be read or the
   * server rejects it, adds the melody without the picture.
   */
  async function importOne(importId: string, each: MelodyImportEntry): Promise<MelodyImportRowOutcome> {
    const send = async (row: MelodyImportEntry, pictureRefusal?: string): Promise<MelodyImportRowOutcome> => {
      const melody = await upload.send(getUploadFiles(row), () => {
        changeRow(row.row.key, { isTried: true });
        return sendMelody(importId, row);
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

  async function importAll() {
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
          setOutcome(each.row.key, await importOne(begun.id, each));
        } catch (error) {
          if (signal.aborted) return;
          // Stops if the user is signed out or offline, or if the server is out of space or receives too many
          // requests: the next melody would fail too.
          if (['signed-out', 'offline'].includes(classifyUploadFailure(error)) || getRequestedWait(error))
            throw error;
          logUnexpectedError(error);
          setOutcome(each.row.key, {
            kind: 'failed',
            text: joinSentences('Failed to add melody', getErrorMessage(error, 'Please try again.')),
          });
        }
      }
    } catch (error) {
      setFailure(getErrorMessage(error, 'You’re offline right now.'));
    } finally {
      if (run.current?.signal === signal) setIsRunning(false);
      refreshQueries(['/api/melodies', '/api/admin/transmission-levels', '/api/admin/melody-imports']);
    }
  }

  /**
   * Uploads the files of the first melodies while the teacher is still reviewing the list. The server stores
   * these uploads until the melodies are added.
   */
  async function uploadAhead() {
    if (run.current || isRunning) return;
    const { signal } = (run.current = new AbortController());
    let [files, bytes] = [0, 0];
    for (const each of entries.filter((one) => one.isChosen)) {
      const chosen = getUploadFiles(each);
      files += chosen.length;
      bytes += chosen.reduce((sum, { blob }) => sum + blob.size, 0);
      if (signal.aborted || files > MAX_FILES_AHEAD || bytes > MAX_BYTES_AHEAD) return;
      // Ignores errors. If the error persists, it is reported when the melody is added.
      await upload.send(chosen, () => Promise.resolve()).catch(() => undefined);
    }
  }

  return {
    ...{ current, entries, folder, reading, isLookingUp, problem, sending, isRunning, failure },
    addFiles,
    changeRow,
    chooseLevel: (levelId: number | null) => change((before) => ({ ...before, levelId })),
    chooseMeanings: (levelMeanings: LevelNameMappings) => change((before) => ({ ...before, levelMeanings })),
    uploadAhead: () => void uploadAhead(),
    add: () => {
      upload.stop();
      void importAll();
    },
    pause() {
      run.current?.abort();
      upload.stop();
      setIsRunning(false);
    },
    /** Discards the import. Melodies that have already been added stay in the library. */
    close() {
      run.current?.abort();
      run.current = null;
      upload.stop();
      setIsRunning(false);
      setFolder(null);
      setKnown(NOTHING_KNOWN);
      draft.change(null);
    },
  };
}

export type MelodyImportState = ReturnType<typeof useMelodyImport>;
export type MelodyImportEntry = MelodyImportState['entries'][number];

const UNREADABLE = 'This file can’t be read. Please choose the folder again.';

/**
 * Returns whether the file can be read. The upload of a file that has been moved or deleted since it was
 * chosen would never end.
 */
const isReadable = (file: Blob) =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

/**
 * Returns the SHA-256 hash in hexadecimal, or null if the page is not a secure context or the file can't be
 * read.
 */
async function computeSha256(file: Blob): Promise<string | null> {
  const subtle = (crypto as Partial<Crypto>).subtle;
  if (!subtle) return null;
  try {
    const digest = new Uint8Array(await subtle.digest('SHA-256', await file.arrayBuffer()));
    return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  } catch {
    return null;
  }
}
