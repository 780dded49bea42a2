import { hash } from 'node:crypto';
import type { Clock } from '#server/clock.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { FeedbackService } from '#features/feedback/server/service.ts';
import type { FilesService } from '#features/operations/files/server/service.ts';
import type { MelodiesService } from '#features/melodies/server/service.ts';
import type { RecordingsService } from '#features/recordings/server/service.ts';
import { PACK_LEASE_DAYS, MAX_OFFLINE_OWN_RECORDINGS } from '../limits.ts';

export type PackService = ReturnType<typeof createPackService>;

type Person = Pick<Caller, 'id' | 'role'>;

type Deps = {
  melodies: MelodiesService;
  recordings: RecordingsService;
  feedback: FeedbackService;
  files: FilesService;
  clock: Clock;
};

const LEASE_MS = PACK_LEASE_DAYS * 24 * 60 * 60 * 1000;

/** Creates the service that determines what a user may store on a device. */
export function createPackService({ melodies, recordings, feedback, files, clock }: Deps) {
  /**
   * Returns the version of a student's own recordings and feedback (a hash), and the audio files of the
   * newest ones.
   */
  async function listOwn(student: Person) {
    const sung = await recordings.listOf(student);
    const answers = await feedback.listForStudent(student);
    const names = [
      ...sung.rows.slice(0, MAX_OFFLINE_OWN_RECORDINGS).map(({ audioUrl }) => audioUrl),
      ...answers.rows
        .slice(0, MAX_OFFLINE_OWN_RECORDINGS)
        .flatMap(({ recording, audioFeedbackUrl, voices }) => [
          ...[recording.audioUrl, audioFeedbackUrl],
          ...voices.map(({ audioUrl }) => audioUrl),
        ]),
    ];
    const uniqueNames = [...new Set(names)].filter((name) => name !== null);
    return {
      version: hash('sha256', JSON.stringify([sung.rows, answers.rows]), 'base64url'),
      files: await toPackFiles(await files.listFacts(uniqueNames, student)),
    };
  }

  /**
   * Returns the files in the given order, in the form in which devices store them: audio as its smallest copy.
   */
  async function toPackFiles(found: readonly File[]) {
    const copies = await files.listCopiesToStore(found.filter(isSound).map(({ name }) => name));
    return found.map((file) => {
      const copy = copies.get(file.name);
      const { contentType, size, sha256 } = copy ?? file;
      const type = isSound(file) ? ('audio' as const) : ('image' as const);
      return { name: file.name, type, ...(copy && { copy: copy.copy }), contentType, size, sha256 };
    });
  }

  return {
    /**
     * Returns which of the melodies the caller may store now, the server's time, and when the lease ends.
     * With `asksForOwn`, includes a student's own recordings and feedback.
     */
    async getManifest(caller: Person, ids: readonly number[], asksForOwn: boolean) {
      const at = clock();
      const found = await melodies.listStorableMelodies(caller, ids);
      const packFiles = await toPackFiles(found.flatMap((each) => each.files));
      return {
        at,
        until: new Date(at.getTime() + LEASE_MS),
        melodies: found.map((each) => ({ ...each, files: packFiles.splice(0, each.files.length) })),
        own: asksForOwn && caller.role === 'student' ? await listOwn(caller) : null,
      };
    },
  };
}

type File = { name: string; contentType: string; size: number; sha256: string };

const isSound = ({ contentType }: File) => !contentType.startsWith('image/');
