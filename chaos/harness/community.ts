import { randomUUID } from 'node:crypto';
import { Client } from '#testing/client.ts';
import { newDataFolder, startProgram } from '#testing/program.ts';

export const TEACHER = { username: 'khandro', password: 'teacher-pass' };

/** Settings for a program in which a student sends more than in a year, and nothing is copied in the background. */
export const UNLIMITED = {
  ADMIN_PASSWORD: TEACHER.password,
  FFMPEG_PATH: 'none',
  STUDENT_DAILY_RECORDINGS: '100000',
  STUDENT_DAILY_BYTES: '100GB',
};

export type Person = { username: string; password: string };

export type Community = {
  url: string;
  newStudent(): Promise<Person>;
  as(person: Person): Promise<Client>;
};

/** @param url of a program that was started with the teacher's password */
export async function communityAt(url: string): Promise<Community> {
  const as = async ({ username, password }: Person) => {
    const client = new Client(url);
    await client.post('/api/login', { username, password });
    return client;
  };
  const teacher = await as(TEACHER);
  await teacher.post('/api/init');
  const levelId = await firstLevel(teacher);
  return {
    url,
    as,
    async newStudent() {
      const { body } = await teacher.post('/api/admin/create-user-with-credentials', {
        email: `student.${randomUUID().slice(0, 8)}@example.org`,
        firstName: 'Tashi',
        lastName: 'Dolma',
        transmissionLevels: [levelId],
      });
      return { username: body.user.username as string, password: body.password as string };
    },
  };
}

/** The id of the first transmission level. */
export async function firstLevel(teacher: Client): Promise<number> {
  const { body } = await teacher.get('/api/admin/transmission-levels');
  return (body as { id: number }[])[0]!.id;
}

export type OwnServer = { dataDir: string; killAndRestart(): Promise<void> };

/** Starts a program of its own for `use`. */
export async function inCommunity<T>(
  use: (community: Community, server: OwnServer) => Promise<T>,
  more: NodeJS.ProcessEnv = {},
): Promise<T> {
  const { dataDir, remove } = await newDataFolder();
  const environment = { ADMIN_PASSWORD: TEACHER.password, ...more };
  let program = await startProgram({ dataDir, environment });
  const port = Number(new URL(program.url).port);
  const killAndRestart = async () => {
    await program.end('SIGKILL');
    program = await startProgram({ dataDir, environment, port });
  };
  try {
    return await use(await communityAt(program.url), { dataDir, killAndRestart });
  } finally {
    await program.end();
    await remove();
  }
}
