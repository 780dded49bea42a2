import { expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import type { TestClient } from '#testing/client.ts';
import {
  FORM_BOUNDARY,
  buildForm,
  getFormPartHead,
  openRawConnection,
  sendRawForm,
} from '#testing/raw-request.ts';

const MEGABYTE = 'x'.repeat(1024 * 1024);
const app = await startTestApp();

const send = (client: TestClient, path: string, form: string, method?: string) =>
  sendRawForm({ url: app.url, client, path, ...(method && { method }) }, form);

test('rejects a form field that is longer than its contract allows', async () => {
  const student = await app.as(await app.make.student());
  const title = await send(student, '/api/recordings', buildForm([['title', 'a'.repeat(601)]]));
  expect(title).toEqual({ status: 400, message: 'This text is too long. The limit is 200 characters.' });
  const id = await send(
    student,
    '/api/recordings',
    buildForm([
      ['title', 'Song'],
      ['clientId', 'a'.repeat(301)],
    ]),
  );
  expect(id).toEqual({ status: 400, message: 'This text is too long. The limit is 100 characters.' });
});

test('accepts a Tibetan melody whose texts all have the maximum length', async () => {
  const teacher = await app.as(await app.make.teacher());
  const melody = await app.make.melody({});
  const lines = (count: number, width: number) =>
    Array.from({ length: count }, () => 'ཀ'.repeat(width - 1)).join('\n');
  const typed = {
    title: 'ཀ'.repeat(200),
    description: 'ཁ'.repeat(5_000),
    melodyText: lines(20_000, 10).padEnd(200_000, 'ག'),
    timings: JSON.stringify(
      Array.from({ length: 20_000 }, (_, line) => ({ line, start: line * 3.141592653589793 })),
    ),
  };
  const reply = await teacher.form(`/api/melodies/${melody.id}`, typed, { method: 'PUT' });
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({ description: typed.description, melodyText: typed.melodyText });
  const beyond = await teacher.form(
    `/api/melodies/${melody.id}`,
    { melodyText: 'ཀ'.repeat(200_001) },
    { method: 'PUT' },
  );
  expect([beyond.status, beyond.body.issues]).toEqual([
    400,
    [{ path: 'melodyText', message: 'This text is too long. The limit is 200,000 characters.' }],
  ]);
});

test('rejects a form with more than 2 MB of text in total', async () => {
  const teacher = await app.as(await app.make.teacher());
  const melody = await app.make.melody({});
  const form = buildForm([
    ['melodyText', 'a'.repeat(600_000)],
    ['timings', ' '.repeat(1_500_000)],
  ]);
  const reply = await send(teacher, `/api/melodies/${melody.id}`, form, 'PUT');
  expect(reply).toEqual({ status: 413, message: 'This form is too large.' });
});

test('skips unknown form fields, but rejects repeated ones', async () => {
  const student = await app.as(await app.make.student());
  const unknown = buildForm([
    ['other', MEGABYTE],
    ['title', 'Song'],
    ['audio', 'no file'],
  ]);
  expect(await send(student, '/api/recordings', unknown)).toEqual({
    status: 400,
    message: 'Please record or upload an audio file.',
  });
  const long = buildForm([['other', MEGABYTE.repeat(3)]]);
  expect(await send(student, '/api/recordings', long)).toEqual({
    status: 413,
    message: 'This form is too large.',
  });
  const twice = buildForm([
    ['title', 'One'],
    ['title', 'Two'],
  ]);
  expect(await send(student, '/api/recordings', twice)).toEqual({
    status: 400,
    message: expect.stringMatching(/^Something in this form/) as string,
  });
});

test('malformed form fields and parts never cause a server error', async () => {
  const student = await app.as(await app.make.student());
  const title: [string, string] = ['title', 'Song'];
  const odd: [form: string, status: number][] = [
    [buildForm([['__proto__', 'x'], title]), 400],
    [buildForm([['constructor', 'x'], title]), 400],
    [buildForm([['', 'x'], title]), 400],
    [buildForm([['x'.repeat(100_000), 'x'], title]), 400],
    [buildForm(Array.from({ length: 1000 }, (_, i) => [`f${i}`, ''])), 413],
    [buildForm(Array.from({ length: 1000 }, () => title)), 400],
    // A file under a field's name, a field under a file's name, and a file without a name.
    [`${getFormPartHead('name="title"; filename="a.wav"')}x\r\n--${FORM_BOUNDARY}--\r\n`, 400],
    [`${getFormPartHead('name="audio"')}x\r\n--${FORM_BOUNDARY}--\r\n`, 400],
    [`${getFormPartHead('filename="a.wav"')}x\r\n--${FORM_BOUNDARY}--\r\n`, 400],
    [`--${FORM_BOUNDARY}\r\n${'x-odd: 1\r\n'.repeat(5_000)}\r\nx\r\n--${FORM_BOUNDARY}--\r\n`, 400],
    [`--${FORM_BOUNDARY}--\r\n`, 400],
    ['nothing of a form', 400],
    ['', 400],
  ];
  const before = await app.count('recordings');
  for (const [index, [form, status]] of odd.entries()) {
    const reply = await send(student, '/api/recordings', form);
    expect([index, reply.status, typeof reply.message]).toEqual([index, status, 'string']);
  }
  expect(await app.count('recordings')).toBe(before);
  expect((await student.form('/api/recordings', { title: 'Mine' })).status).toBe(400);
});

test('a form sent one byte per chunk is reassembled', async () => {
  const student = await app.as(await app.make.student());
  const connection = openRawConnection(app.url);
  connection.writeRequestHead('POST', '/api/recordings', {
    cookie: `session=${student.cookies.get('session')}`,
    'content-type': `multipart/form-data; boundary=${FORM_BOUNDARY}`,
    'transfer-encoding': 'chunked',
  });
  const form = Buffer.from(buildForm([['title', 'སྒྲ']]));
  connection.write(Buffer.concat([...form].map((byte) => Buffer.from([49, 13, 10, byte, 13, 10]))));
  connection.write('0\r\n\r\n');
  const { status, text } = await connection.answer;
  connection.end();
  expect(status).toBe(400);
  expect(text).toContain('Please record or upload');
});
