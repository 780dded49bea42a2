import { describe, expect, test } from 'vitest';
import type { RenderPage } from '#server/http/page.ts';

// Tests the text of pages, rendered from the responses that they would get. `render` is imported through a
// variable, which hides the file from the compiler, because browser code needs other types.
const source = '../../main.render.tsx';
const { render } = (await import(source)) as { render: RenderPage };

const khandro = { username: 'khandro', email: 'khandro@example.org', role: 'admin' };
const tashi = { username: 'tashi', email: 'tashi@example.org', role: 'student' };
type Person = typeof khandro & { firstName?: string; lastName?: string };

test('the sign-in page shows the maximum length of a recording', async () => {
  const { text } = await screen('/auth', null);
  expect(text).toContain('Practice recordings may be up to 2 minutes of audio.');
});

describe('home', () => {
  const quote = '“May all beings have happiness and the causes of happiness.”';

  // A student's home page waits for data stored on the device, so `home.browser.test.tsx` tests it.
  test('the teacher’s home page links to the songs and to the students’ recordings', async () => {
    const { text, links, html } = await screen('/', khandro);
    expect(links).toMatchObject({ 'Explore Library': '/melodies', 'Admin Inbox': '/admin' });
    expect(links).not.toHaveProperty('Submit Recording');
    expect(headings(html).slice(2)).toEqual(['Sacred Melodies', 'Student Submissions', 'Sangha Community']);
    expect(text).toContain(quote);
  });
});

describe('the layout', () => {
  test('the layout shows the user and their role, with a link to change the password', async () => {
    const teacher = await screen('/', { ...khandro, firstName: 'Khandro', lastName: 'Lhamo' });
    expect(part(teacher.html, 'header')).toContain('Khandro-la');
    expect(part(teacher.html, 'aside')).toContain('Khandro Lhamo Khandro-la');
    expect(teacher.links).toMatchObject({
      'Profile khandro@example.org : change password': '/change-password',
    });

    const student = await screen('/', { ...tashi, firstName: 'Tashi' });
    expect(part(student.html, 'header')).toContain('Student');
    expect(part(student.html, 'aside')).toMatch(/ tashi Student /);
    const nameless = await screen('/', { ...tashi, email: '' });
    expect(nameless.links).toMatchObject({ 'Profile tashi : change password': '/change-password' });
  });

  test.each([
    [0, ''],
    [1, '1 unread'],
    [99, '99 unread'],
    [100, '99+ unread'],
  ])('the menu shows %i unread feedback as “%s”', async (count, shown) => {
    const { html } = await screen('/', tashi, { '/api/feedback/unread-count': { count } });
    expect(part(html, 'nav')).toContain(`View Feedback ${shown}`.trim());
    expect(part(html, 'nav').includes('unread')).toBe(shown !== '');
  });

  test('shows “Loading...” while the user is unknown', async () => {
    expect((await screen('/past-recordings', undefined)).text).toBe('Loading...');
  });
});

describe('pages for a different role', () => {
  const students = ['Admin Access', 'This section is for students only.'];
  const teacher = ['Access Denied', 'This page is for the teacher only.'];
  test.each([
    ['/submit', khandro, students],
    ['/feedback', khandro, students],
    ['/past-recordings', khandro, students],
    ['/admin', tashi, ['Access Denied', 'Only the teacher can see students’ recordings.']],
    ['/admin/registrations', tashi, teacher],
    ['/past-feedback', tashi, teacher],
    ['/admin/invite', tashi, ['Admin Access Required', 'This section is for administrators only.']],
  ])(
    'the page %s shows a message to users with a different role',
    async (path, person, [title, sentence]) => {
      const { html } = await screen(path, person);
      expect(headings(html)).toEqual([title]);
      expect(part(html, 'main')).toContain(sentence);
    },
  );
});

test('the profile page shows the password rules before the user types', async () => {
  const { html } = await screen('/change-password', tashi);
  expect(listItems(part(html, 'form', 'html'))).toEqual([
    'At least 6 characters',
    'Different from current',
    'A mix of letters, numbers and symbols recommended',
  ]);
});

test('the invite page has two forms, and a loading message until the levels arrive', async () => {
  const { html } = await screen('/admin/invite', khandro, { '/api/admin/transmission-levels': [] });
  expect(headings(html)).toEqual(
    expect.arrayContaining(['Create User with Credentials', 'Create User Invitations']),
  );
  expect((await screen('/admin/invite', khandro)).text).toContain('Loading...');
});

/** Renders a page before any interaction. If `person` is undefined, the user is still unknown. */
async function screen(path: string, person: Person | null | undefined, answers: object = {}) {
  const user = person && {
    id: '7f2c1f0e-5f0e-4f7c-9d1e-0c5a4f0d8a11',
    firstName: null,
    lastName: null,
    profileImageUrl: null,
    isActive: true,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    suggestOwnPassword: false,
    wantsNewsMail: true,
    ...person,
  };
  const page = {
    title: '',
    settings: { appName: 'Yangchen', tagline: 'Songs of the heart', teacherTitle: 'Khandro-la' },
    answers: { ...(user === undefined ? {} : { '/api/user': user }), ...answers },
  };
  const html = await render(path, '', JSON.stringify(page));
  return { html, text: textOf(html), links: linksIn(html) };
}

const matches = (html: string, pattern: RegExp) =>
  [...html.matchAll(pattern)].map(([, inner]) => inner ?? '');

/** Returns the visible text: tags replaced by single spaces. */
const textOf = (html: string) =>
  html
    .replaceAll(/<!--.*?-->/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(amp|#x27|quot);/g, (_, name: string) => ({ amp: '&', '#x27': "'", quot: '"' })[name] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
const headings = (html: string) => matches(html, /<h[123][^>]*>(.*?)<\/h[123]>/gs).map(textOf);
const listItems = (html: string) => matches(html, /<li[^>]*>(.*?)<\/li>/gs).map(textOf);
const linksIn = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(([, href, inner]) => [
      textOf(inner ?? ''),
      href,
    ]),
  ) as Record<string, string>;

/** Returns the text or the HTML of the first element with that tag name. */
function part(html: string, name: string, as: 'text' | 'html' = 'text') {
  const inner = new RegExp(`<${name}[ >].*?</${name}>`, 's').exec(html)?.[0] ?? '';
  return as === 'html' ? inner : `${textOf(inner)} `;
}
