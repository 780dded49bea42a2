import { randomUUID } from 'node:crypto';
import { Client } from '../src/testing/client.ts';

export const TEACHER = { username: 'khandro', password: 'teacher-pass' };

export type Person = { username: string; password: string };

/** Who sings in a proof. */
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
  const levels = (await teacher.get('/api/admin/transmission-levels')).body as { id: number }[];
  return {
    url,
    as,
    async newStudent() {
      const { body } = await teacher.post('/api/admin/create-user-with-credentials', {
        email: `student.${randomUUID().slice(0, 8)}@example.org`,
        firstName: 'Tashi',
        lastName: 'Dolma',
        transmissionLevels: [levels[0]!.id],
      });
      return { username: body.user.username as string, password: body.password as string };
    },
  };
}
