import { randomUUID } from 'node:crypto';
import { TestClient, type TestFormParts } from './client.ts';
import { createDataFolder, startProgram, type RunningProgram } from './program.ts';

// Users of a running program, for benchmarks, journeys and chaos tests. They access the program only by its
// URL.

export const TEACHER_CREDENTIALS = { username: 'khandro', password: 'teacher-pass' };

export type TestCredentials = { username: string; password: string };

export type Community = {
  url: string;
  /** A client in which the teacher is signed in. */
  teacher: TestClient;
  /** Id of the first transmission level, which is open to all. */
  levelId: number;
  /** @param more the student's email, and a level other than the first */
  newStudent(more?: { email?: string; levelId?: number }): Promise<TestCredentials>;
  as(person: TestCredentials): Promise<TestClient>;
  /** Adds a melody, at the first level unless the parts name another. */
  addMelody(parts: TestFormParts): Promise<{ id: number; audioUrl: string; thumbnailUrl: string }>;
};

/**
 * Signs in the teacher, and creates the default levels.
 * @param url URL of a program that was started with the teacher's password
 */
export async function connectToCommunity(url: string): Promise<Community> {
  const as = async ({ username, password }: TestCredentials) => {
    const client = new TestClient(url);
    await client.post('/api/login', { username, password });
    return client;
  };
  const teacher = await as(TEACHER_CREDENTIALS);
  await teacher.post('/api/init');
  const { body: levels } = await teacher.get('/api/admin/transmission-levels');
  const levelId = (levels as { id: number }[])[0]!.id;
  return {
    ...{ url, teacher, levelId, as },
    async newStudent(more = {}) {
      const { body } = await teacher.post('/api/admin/create-user-with-credentials', {
        ...{ firstName: 'Tashi', lastName: 'Dolma' },
        email: more.email ?? `student.${randomUUID().slice(0, 8)}@example.org`,
        transmissionLevels: [more.levelId ?? levelId],
      });
      return { username: body.user.username as string, password: body.password as string };
    },
    async addMelody(parts) {
      const { status, body } = await teacher.form('/api/melodies', {
        ...{ title: 'Calling the Lama from Afar', transmissionLevelId: levelId },
        ...parts,
      });
      if (status !== 201) throw new Error(`A melody was answered with ${status}`);
      return body as Awaited<ReturnType<Community['addMelody']>>;
    },
  };
}

export type RunningCommunity = Community & {
  readonly program: RunningProgram;
  dataDir: string;
  /**
   * Ends the process, and starts a new one on the same folder and port.
   * @param signal sent to end the old process
   */
  restart(signal?: NodeJS.Signals): Promise<void>;
  end(): Promise<void>;
};

/** Starts a program with a teacher and the default levels. */
export async function startCommunity(more: NodeJS.ProcessEnv = {}): Promise<RunningCommunity> {
  const { dataDir, remove } = await createDataFolder();
  const environment = { ADMIN_PASSWORD: TEACHER_CREDENTIALS.password, ...more };
  let program = await startProgram({ dataDir, environment });
  const { url } = program;
  return {
    ...(await connectToCommunity(url)),
    get program() {
      return program;
    },
    dataDir,
    async restart(signal) {
      await program.end(signal);
      program = await startProgram({ dataDir, environment, port: Number(new URL(url).port) });
    },
    async end() {
      await program.end();
      await remove();
    },
  };
}

/** Starts a program for the duration of `use`. */
export async function withCommunity<T>(
  use: (community: RunningCommunity) => Promise<T>,
  more?: NodeJS.ProcessEnv,
): Promise<T> {
  const community = await startCommunity(more);
  try {
    return await use(community);
  } finally {
    await community.end();
  }
}
