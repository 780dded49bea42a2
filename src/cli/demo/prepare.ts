import type { RunningServer } from '#app/server/start.ts';
import { DEMO_PASSWORD, DEMO_STUDENTS, DEMO_TEACHER } from './community.ts';
import { seedDemo } from './seed.ts';

/**
 * Returns the environment with the demo's defaults: its own data folder, and a teacher with a known password.
 * Variables that are already set take precedence.
 */
export function getDemoEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const set = Object.entries(environment).filter(([, value]) => value !== '');
  return {
    DATA_DIR: './data-demo',
    ADMIN_USERNAME: DEMO_TEACHER.username,
    ADMIN_PASSWORD: DEMO_PASSWORD,
    ...Object.fromEntries(set),
  };
}

/**
 * Creates the community at the first start.
 * @returns lines to print: each user's sign-in details, or that the database holds another community
 */
export async function prepareDemo({ parts, services }: Pick<RunningServer, 'parts' | 'services'>) {
  const state = await seedDemo(parts);
  if (state === 'other') {
    return ['', 'This database holds a community of its own, so that nothing was added to it.'];
  }
  // Hides the notice about missing backups, because a demo community needs none.
  await services.notices.dismiss('no-backup');
  const { firstAdmin } = parts.settings;
  const teachersPassword = firstAdmin.password === DEMO_PASSWORD ? DEMO_PASSWORD : '(your ADMIN_PASSWORD)';
  const demo = [firstAdmin.username, ...DEMO_STUDENTS.map(({ username }) => username)];
  // Lists the users in the order of `demo`, without those who have been deleted.
  const present = (await Promise.all(demo.map((name) => services.users.findForSignIn(name)))).filter(
    (user) => user !== null,
  );
  const row = (...[username, password, who]: [string, string, string]) =>
    `  ${username.padEnd(14)}${password.padEnd(22)}${who}`;
  return [
    '',
    state === 'made' ? 'A demo community was created:' : 'The demo community from the first start:',
    row('username', 'password', ''),
    ...present.map(({ username, firstName, lastName, role }) =>
      row(
        username,
        role === 'admin' ? teachersPassword : DEMO_PASSWORD,
        [firstName, lastName, role === 'admin' && '(teacher)'].filter(Boolean).join(' '),
      ),
    ),
  ].map((line) => line.trimEnd());
}
