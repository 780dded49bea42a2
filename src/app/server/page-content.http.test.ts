import { expect, test } from 'vitest';
import { createPageContentLoader } from './page-content.ts';
import { AppError } from '#shared/errors.ts';
import { mountPage, type RenderPage } from '#server/http/page.ts';
import type { Log } from '#server/log.ts';
import { startTestApp } from '#testing/app.ts';
import type { TestClient } from '#testing/client.ts';
import { countLockWaiters } from '#testing/wait-for.ts';

// Imported through a variable, which hides the file from the compiler, because browser code needs other
// types.
const source = '../../main.render.tsx';
const { render } = (await import(source)) as { render: RenderPage };
const TEMPLATE =
  '<html lang="en"><title>__APP_NAME__</title><!--page-head--><div id="root"><p>Loading...</p><!--root-end--> </div><!--page-data-->';
const logged: unknown[] = [];

const MODULES = (source: string) => [
  source.includes('tibetan')
    ? '/assets/tibetan.woff2'
    : source.includes('player')
      ? '/assets/player.js'
      : '/assets/melodies.js',
];

const startWith = (used: RenderPage, options: Parameters<typeof startTestApp>[0] = {}) =>
  startTestApp({
    ...options,
    prepare: ({ app: server, identify, inProcess }, { settings, log }) =>
      mountPage(
        server,
        () => Promise.resolve(TEMPLATE),
        identify,
        createPageContentLoader(settings, MODULES, inProcess),
        {
          ...{ develop: false, render: used, position: () => null },
          log: { ...log, error: (said: unknown) => logged.push(said) } as Log,
        },
      ),
  });
const app = await startWith(render);
const broken = await startWith(() => Promise.reject(new Error('no such verse')));

const root = (html: unknown) => /<div id="root" data-rendered>(.*)<\/div><script/s.exec(html as string)?.[1];

/** Returns the API responses that are embedded in a page, by URL. */
async function answersIn(client: TestClient, path: string) {
  const { status, body } = await client.get(path);
  expect(status, path).toBe(200);
  const json = /<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(body as string)![1]!;
  return (JSON.parse(json) as { answers: Record<string, unknown> }).answers;
}

test('the server renders the library with only the melodies the student may hear', async () => {
  await app.make.melody({ title: 'Song of the Valley', level: 'Open to All' });
  await app.make.melody({ title: 'Song of the Summit', level: 'Wang (Empowerment)' });
  const few = await app.as(await app.make.student({ username: 'has.few', levels: ['Open to All'] }));
  const many = await app.as(
    await app.make.student({ username: 'has.many', levels: ['Open to All', 'Wang (Empowerment)'] }),
  );
  const requests = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? few : many).get('/melodies'));
  for (const [index, { status, body }] of (await Promise.all(requests)).entries()) {
    const html = body as string;
    const isMany = index % 2 === 1;
    expect(status).toBe(200);
    expect(root(html)).toContain('Song of the Valley');
    expect(root(html)!.includes('Song of the Summit')).toBe(isMany);
    expect(html.includes('Song of the Summit')).toBe(isMany);
    expect(html.includes('has.many')).toBe(isMany);
    expect(html.includes('has.few')).toBe(!isMany);
  }
  expect(logged).toEqual([]);
});

test('the rendered library contains only the melodies of the level in the URL', async () => {
  const wang = await app.make.level('Wang (Empowerment)');
  const student = await app.as(await app.make.student({ levels: ['Open to All', 'Wang (Empowerment)'] }));
  const html = (await student.get(`/melodies?level=${wang.id}`)).body as string;
  expect(html).toContain('<title>Sacred Melodies · Yangchen</title>');
  expect(root(html)).toContain('Song of the Summit');
  expect(root(html)).not.toContain('Song of the Valley');
  expect(root(html)).not.toMatch(/\sstyle=|<script|<link/);
  expect(html).toContain('<html lang');
  // With `data-later`, the scripts are loaded after the first paint.
  expect(html).toContain('<link data-later="modulepreload" href="/assets/melodies.js"');
});

test('the page at a player’s URL embeds the melody only for users who may hear it', async () => {
  const text = 'བཀྲ་ཤིས།\nTashi of the depth';
  const { id } = await app.make.melody({ title: 'Song of the Depth', level: 'Wang (Empowerment)', text });
  const [may, mayNot] = [
    await app.as(await app.make.student({ levels: ['Wang (Empowerment)'] })),
    await app.as(await app.make.student({ levels: ['Open to All'] })),
  ];
  const html = (await may.get(`/melodies?play=${id}`)).body as string;
  const words = /<dialog.*<\/dialog>/s.exec(root(html)!)![0];
  expect(words).toContain('lang="bo" class="sung-tibetan">བཀྲ་ཤིས།</p>');
  expect(words).toContain('Tashi of the depth');
  expect(root(html), 'the page has no inline styles, which the policy forbids').not.toMatch(/\sstyle=/);
  expect(html).toContain('<link rel="preload" as="font" type="font/woff2" href="/assets/tibetan.woff2"');
  const inside = (await may.get(`/melodies?play=${id}&line=2`)).body as string;
  expect(root(inside), 'words that would jump to their line are not rendered').not.toContain(
    'Tashi of the depth',
  );
  expect(html).toContain('<link data-later="modulepreload" href="/assets/player.js"');
  expect(html).toContain('<html class="is-player-open"');
  expect(await answersIn(may, `/melodies?play=${id}`)).toHaveProperty([`/api/melodies/${id}`]);
  // The page also accepts an id with a percent-encoded digit.
  const encoded = `%3${String(id)[0]}${String(id).slice(1)}`;
  expect((await may.get(`/melodies?play=${encoded}`)).body).toContain('/assets/player.js');
  for (const query of [`play=${id}`, `play=x&play=${id}`, 'play=999999999', 'play=1e3', 'play=']) {
    const { status, body } = await mayNot.get(`/melodies?${query}`);
    expect(status, query).toBe(200);
    expect(body, query).not.toContain('Song of the Depth');
    expect(body, query).not.toContain('of the depth');
    expect(body, query).not.toContain('/assets/player.js');
  }
});

test('responses embedded in a page equal what the API returns to the page’s user', async () => {
  const open = await app.make.melody({ level: 'Open to All' });
  const restricted = await app.make.melody({ level: 'Wang (Empowerment)' });
  await app.services.notices.raise('sweep-held', { files: 9, of: 10 });
  const few = await app.make.student({ levels: ['Open to All'] });
  const many = await app.make.student({ levels: ['Open to All', 'Wang (Empowerment)'] });
  const byPage = {
    '/': [],
    '/submit': [],
    '/melodies': ['/api/melodies?view=card', '/api/user/transmission-levels'],
    [`/melodies?play=${open.id}`]: [`/api/melodies/${open.id}`],
    [`/melodies?play=${restricted.id}`]: [],
  };
  for (const user of [few, many, await app.make.teacher()]) {
    const client = await app.as(user);
    for (const [path, expected] of Object.entries(byPage)) {
      const answers = await answersIn(client, path);
      const addresses = ['/api/user', ...expected];
      expect(Object.keys(answers), path).toEqual(expect.arrayContaining(addresses));
      expect('/api/admin/notices' in answers).toBe(user.role === 'admin');
      expect(`/api/melodies/${restricted.id}` in answers).toBe(
        path.endsWith(`=${restricted.id}`) && user !== few,
      );
      for (const [address, answer] of Object.entries(answers))
        expect((await client.get(address)).body, address).toEqual(answer);
    }
  }
  expect(await answersIn(app.visitor(), '/melodies')).toEqual({ '/api/user': null });
});

test('a melody’s title cannot end a script or become an element', async () => {
  const title = '</script><img src=x onerror=alert(1)> $& __NONCE__ <!--root-end-->';
  await app.make.melody({ title, level: 'Refuge' });
  const student = await app.as(await app.make.student({ levels: ['Refuge'] }));
  const html = (await student.get('/melodies')).body as string;
  expect(root(html)).toContain('&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt; $&amp; __NONCE__ ');
  expect(html).not.toContain('<img src=x');
  expect(html.match(/<script/g)).toHaveLength(1);
  const data = /<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(html)?.[1];
  expect(JSON.parse(data!).answers['/api/melodies?view=card'][0].title).toBe(title);
});

test('the server renders only the library, and only for signed-in users', async () => {
  const student = await app.as(await app.make.student());
  for (const html of [(await student.get('/')).body, (await app.visitor().get('/melodies')).body]) {
    expect(html).toContain('<p>Loading...</p>');
    expect(root(html)).toBeUndefined();
  }
});

test('embeds a student’s own data in a student’s home page, but not in a teacher’s', async () => {
  const student = await app.make.student({ levels: ['Open to All'] });
  const melody = await app.make.melody({ title: 'Song of Today', level: 'Open to All' });
  const browser = await app.as(student);
  await browser.put(`/api/user/today/${melody.id}`, { times: 3 });
  await app.make.recording({ student, title: 'Sung and Waiting' });
  const { recording } = await app.make.feedback({ student });
  expect(await answersIn(browser, '/')).toMatchObject({
    '/api/user/today': [{ melodyId: melody.id, times: 3 }],
    '/api/student/recordings/waiting': { count: 1, title: 'Sung and Waiting' },
    '/api/feedback/newest-unread': { newest: { recordingId: recording.id } },
    '/api/feedback/unread-count': { count: 1 },
    '/api/agreements/waiting': { count: 0 },
  });
  expect(await answersIn(await app.as(await app.make.student()), '/')).toMatchObject({
    '/api/user/today': [],
    '/api/student/recordings/waiting': { count: 0, title: null },
    '/api/feedback/newest-unread': { newest: null },
  });
  expect(await answersIn(await app.as(await app.make.teacher()), '/')).not.toHaveProperty('/api/user/today');
});

test('library pages count towards a user’s limit on concurrent list queries', async () => {
  // Bypasses the proxy, because each server has its own counters.
  const student = await app.as(await app.make.student(), app.direct);
  // Loads the melodies into the cache, so that only the queries for the levels wait for the lock.
  await student.get('/melodies');
  const holder = await app.database.pool.connect();
  await holder.query('begin; lock table transmission_levels in access exclusive mode');
  const requests = Array.from({ length: 5 }, () => student.get('/melodies'));
  try {
    await expect.poll(() => countLockWaiters(app.db)).toBe(2);
    // Waits until another user's query also waits for the lock. By then, a third query by the student would
    // be waiting for it too.
    const other = await app.as(await app.make.student(), app.direct);
    requests.push(other.get('/api/user/transmission-levels'));
    await expect.poll(() => countLockWaiters(app.db)).toBe(3);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  expect((await Promise.all(requests)).map(({ status }) => status)).toEqual(Array<number>(6).fill(200));
});

test('if loading a response fails, the server leaves rendering to the browser', async () => {
  const busy = await startWith(render, {
    services: (made) => ({
      ...made,
      levels: {
        ...made.levels,
        listFor: () => {
          throw new AppError('unavailable', 'The server is busy right now.');
        },
      },
    }),
  });
  const client = await busy.as(await busy.make.student());
  expect(root((await client.get('/melodies')).body)).toBeUndefined();
  expect(Object.keys(await answersIn(client, '/melodies'))).toEqual(['/api/user', '/api/melodies?view=card']);
});

test('the browser renders the page if the server fails to, and the error is logged', async () => {
  const student = await broken.as(await broken.make.student());
  const { status, body } = await student.get('/melodies');
  expect(status).toBe(200);
  expect(body).toContain('<div id="root"><p>Loading...</p>');
  expect(body).toContain('<link rel="modulepreload" href="/assets/melodies.js"');
  expect(logged).toMatchObject([{ path: '/melodies', error: new Error('no such verse') }]);
});

test('rendering fails if a component throws, instead of leaving a gap', async () => {
  const page = {
    title: '',
    settings: {},
    answers: { '/api/user': { role: 'student' }, '/api/melodies': [null] },
  };
  await expect(render('/melodies', '', JSON.stringify(page))).rejects.toThrow();
});
