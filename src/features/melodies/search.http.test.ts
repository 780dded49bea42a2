import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { getSearchWords } from '#shared/search-words.ts';
import { searchMelodies } from './server/store.ts';
import { createTextSearch } from '#web/text-search.ts';
import { getSearchableText } from './search.ts';
import type { Melody } from './contract.ts';

const app = await startTestApp();
const inBrowser = createTextSearch(getSearchableText);
const teacher = await app.as(await app.make.teacher());

async function add(title: string, more: { description?: string; melodyText?: string; level?: string } = {}) {
  const { level = 'Open to All', ...texts } = more;
  const { id } = await app.make.level(level);
  await teacher.form('/api/melodies', { title, transmissionLevelId: id, ...texts });
}

await add('Refuge and Bodhicitta', { melodyText: 'SANGYE CHÖ DANG TSOK KYI CHOK NAM LA' });
await add('Lama Chöpa', { description: 'An offering to the teacher', melodyText: 'བླ་མ་མཁྱེན་ནོ།' });
await add('Śākyamuni', { melodyText: 'ཤཱཀྱ་ཐུབ་པ། 100% MUNI_MUNI a\\b' });
await add('བླ་མེད།', { level: 'Tri (Instruction)' });
await add('Мой учитель', { melodyText: 'Ἅγιος ἀθάνατος' });

const all = (await teacher.get('/api/melodies')).body as Melody[];
const ALL = ['Мой учитель', 'བླ་མེད།', 'Śākyamuni', 'Lama Chöpa', 'Refuge and Bodhicitta'];
const titlesFor = async (q: string, client = teacher) =>
  ((await client.get(`/api/melodies?q=${encodeURIComponent(q)}`)).body as { title: string }[]).map(
    ({ title }) => title,
  );

test.each([
  ['', ALL],
  ['   ', ALL],
  ['cho', ['Lama Chöpa', 'Refuge and Bodhicitta']],
  ['CHÖ', ['Lama Chöpa', 'Refuge and Bodhicitta']],
  // The letter ö as two characters instead of one.
  ['cho\u0308pa', ['Lama Chöpa']],
  ['sakyamuni', ['Śākyamuni']],
  ['ŚĀKYA', ['Śākyamuni']],
  ['teacher lama', ['Lama Chöpa']],
  ['lama refuge', []],
  ['བླ་མ', ['བླ་མེད།', 'Lama Chöpa']],
  ['བླ་མེ', ['བླ་མེད།']],
  // The tsheg at the end of the query is ignored, so the query matches a text that has a shad there.
  ['མཁྱེན་ནོ་', ['Lama Chöpa']],
  // A Tibetan vowel sign is not an accent, so it is not ignored.
  ['མཁྱན', []],
  ['བླ་མེད', ['བླ་མེད།']],
  // Й is a different letter from И, and Greek accents count.
  ['мой', ['Мой учитель']],
  ['МОЙ', ['Мой учитель']],
  ['мо\u0438\u0306', ['Мой учитель']],
  ['мои', []],
  ['мо', ['Мой учитель']],
  ['ἅγιος', ['Мой учитель']],
  ['αγιος', []],
  ['αθανατος', []],
  ['100%', ['Śākyamuni']],
  ['%', ['Śākyamuni']],
  ['1%0', []],
  ['_', ['Śākyamuni']],
  ['m_ni', []],
  // Not found, although the text contains every three-letter sequence of the query, because they are not
  // consecutive.
  ['sakyamuni_muni', []],
  ['\\', ['Śākyamuni']],
  ['a\\b', ['Śākyamuni']],
  ["'; drop table melodies; --", []],
])('a search for %j finds the same melodies on the server and in the browser', async (q, titles) => {
  expect(await titlesFor(q)).toEqual(titles);
  expect(inBrowser.find(all, q).map(({ title }) => title)).toEqual(titles);
});

test('a search uses only its first eight words, on the server and in the browser', async () => {
  const eight = 'sangye cho dang tsok kyi chok nam la';
  for (const q of [`${eight} and some more words that it does not have`, `la ${eight} sangye nothing`]) {
    expect(await titlesFor(q)).toEqual(['Refuge and Bodhicitta']);
    expect(inBrowser.find(all, q).map(({ title }) => title)).toEqual(['Refuge and Bodhicitta']);
  }
  expect(await titlesFor(`sangye nothing ${eight}`)).toEqual([]);
});

test('the startup backfill makes rows with null search columns searchable', async () => {
  await app.db.execute(sql`update melodies set folded_title = null, folded_text = null, folded_grams = null`);
  await app.db.execute(sql`update users set folded_name = null, folded_grams = null`);
  expect(await titlesFor('sakyamuni')).toEqual([]);
  await app.services.melodies.backfillSearchColumns();
  await app.services.users.backfillSearchColumns();
  expect(await titlesFor('sakyamuni')).toEqual(['Śākyamuni']);
  const { rows } = await app.db.execute(
    sql`select 1 from users where folded_name is null or folded_grams is null`,
  );
  expect(rows).toEqual([]);
});

test('a search uses the index and skips melodies that the student may not hear', async () => {
  const student = await app.make.student({ levels: ['Open to All'] });
  const looked = async (viewer: { id: string; role: 'admin' | 'student' }) => {
    const statements: { sql: string; params: unknown[] }[] = [];
    await app.database.search(async (tx) => {
      const session = (tx as unknown as { session: { logger: object } }).session;
      session.logger = {
        logQuery: (text: string, params: unknown[]) => statements.push({ sql: text, params }),
      };
      await searchMelodies(tx, 'full', viewer, getSearchWords('བླ་མ'));
    });
    const query = statements.find((each) => each.sql.startsWith('select "melodies"'))!;
    const client = await app.database.pool.connect();
    try {
      await client.query('begin; set local enable_seqscan = off');
      const { rows } = await client.query<{ 'QUERY PLAN': unknown }>(
        `explain (analyze, format json) ${query.sql}`,
        query.params,
      );
      return nodesOf((rows[0]!['QUERY PLAN'] as { Plan: PlanNode }[])[0]!.Plan);
    } finally {
      await client.query('rollback');
      client.release();
    }
  };
  const texts = (nodes: PlanNode[]) =>
    nodes.filter((node) => node.Alias === 'once').reduce((sum, node) => sum + node['Actual Loops'], 0);
  const [byTeacher, byStudent] = [await looked({ id: 'anyone', role: 'admin' }), await looked(student)];
  for (const nodes of [byTeacher, byStudent])
    expect(nodes.map((node) => node['Index Name'])).toContain('melodies_search');
  // Two melodies contain the word, but the student may hear only one of them.
  expect([texts(byTeacher), texts(byStudent)]).toEqual([2, 1]);
});

type PlanNode = { Alias?: string; 'Index Name'?: string; 'Actual Loops': number; Plans?: PlanNode[] };
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

test('a student finds only melodies they may hear, even when filtering by level', async () => {
  const browser = await app.as(await app.make.student({ levels: ['Open to All'] }));
  expect(await titlesFor('བླ', browser)).toEqual(['Lama Chöpa']);
  const level = await app.make.level('Tri (Instruction)');
  const both = await teacher.get(
    `/api/melodies?transmissionLevelId=${level.id}&q=${encodeURIComponent('བླ')}`,
  );
  expect(both.body).toHaveLength(1);
  const barred = await browser.get(
    `/api/melodies?transmissionLevelId=${level.id}&q=${encodeURIComponent('བླ')}`,
  );
  expect(barred.body).toEqual([]);
});

test('rejects a search that is too long or not valid text', async () => {
  expect((await teacher.get(`/api/melodies?q=${'x'.repeat(201)}`)).status).toBe(400);
  expect((await teacher.get('/api/melodies?q=a%00b')).status).toBe(400);
  expect((await teacher.get('/api/melodies?q=a&q=b')).status).toBe(400);
});

test('a search no longer finds a replaced title', async () => {
  await add('Passing');
  const { rows } = await app.db.execute<{ id: number }>(sql`select id from melodies where title = 'Passing'`);
  const change = { method: 'PUT' };
  await teacher.form(`/api/melodies/${rows[0]!.id}`, { title: 'Lasting' }, change);
  expect(await titlesFor('passing')).toEqual([]);
  expect(await titlesFor('lasting')).toEqual(['Lasting']);
});
