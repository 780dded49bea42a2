import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings } from './settings.ts';

test('uses the documented defaults if no variable is set', () => {
  expect(readSettings({})).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    appName: 'Yangchen',
    tagline: 'Songs of the heart, passed on by voice',
    teacherTitle: 'Khandro-la',
    dataDir: resolve('data'),
    databaseUrl: null,
    trustProxy: 0,
    firstAdmin: { username: 'khandro', email: 'teacher@example.org', password: null },
  });
  expect(readSettings({ PORT: '8080' }).publicUrl.href).toBe('http://localhost:8080/');
});

test('an empty variable counts as unset', () => {
  expect(readSettings({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: null });
});

test.each([
  ['PORT', 'eighty'],
  ['PORT', '70000'],
  ['PORT', '-1'],
  ['DATABASE_URL', 'mysql://localhost/x'],
  ['DATABASE_POOL', '3'],
  ['DATABASE_POOL', '501'],
  ['BACKUP_PASSPHRASE', 'eleven long'],
  ['BACKUP_PASSPHRASE', 'with a space at the end '],
  ['METRICS_TOKEN', 'short'],
  ['METRICS_TOKEN', 'long enough, with spaces'],
  ['PUBLIC_URL', 'songs.example'],
  ['PUBLIC_URL', 'ftp://songs.example'],
  ['TRUST_PROXY', 'yes'],
  ['ADMIN_EMAIL', 'teacher'],
  ['ADMIN_USERNAME', 'khandro@la'],
  ['ADMIN_PASSWORD', 'short'],
  ['APP_NAME', '   '],
  ['S3_BUCKET', 'songs/recordings'],
  ['S3_ENDPOINT', 's3.example.org'],
  ['S3_ENDPOINT', 'https://key:word@s3.example.org'],
  ['S3_REGION', 'eu central'],
  ['S3_PREFIX', '../others'],
  ['S3_PREFIX', 'a\nb'],
  ['S3_FORCE_PATH_STYLE', 'maybe'],
  ['S3_SECRET_ACCESS_KEY', 'two words'],
  ['MEDIA_REDIRECT', 'always'],
  ['MEDIA_ACCEL', 'stored'],
  ['MEDIA_ACCEL', '/stored/'],
  ['SMTP_URL', 'mail.example.org'],
  ['SMTP_URL', 'http://mail.example.org'],
  ['SMTP_URL', 'smtp://'],
  ['SMTP_URL', 'smtp://mail.example.org:0'],
  ['SMTP_URL', 'smtp://mail.example.org:99999'],
  ['SMTP_URL', 'smtp://user@mail.example.org'],
  ['SMTP_URL', 'smtp://:word@mail.example.org'],
  ['SMTP_URL', 'smtp://user:100%@mail.example.org'],
  ['SMTP_URL', 'smtp://user:pass#word@mail.example.org'],
  ['SMTP_URL', 'smtp://mail.example.org/path'],
  ['SMTP_URL', 'smtp://mail.example.org?secure=false'],
  ['MAIL_FROM', 'the teacher'],
  ['MAIL_FROM', 'Songs <songs>'],
  ['MAIL_FROM', 'songs@example.org, other@example.org'],
  ['MAIL_FROM', 'Songs\r\nBcc: all <songs@example.org>'],
  ['MIN_FREE_DISK', 'plenty'],
  ['MIN_FREE_DISK', '-1'],
  ['MIN_FREE_DISK', '3%'],
  ['STUDENT_DAILY_BYTES', '500 apples'],
  ['STUDENT_DAILY_BYTES', '500'],
  ['SESSION_MAX_DAYS', '0'],
  ['SESSION_MAX_DAYS', 'never'],
  ['SESSION_MAX_DAYS', '3651'],
  ['HSTS_SUBDOMAINS', 'yes'],
  // Rejected, because HSTS requires https.
  ['HSTS_SUBDOMAINS', 'true'],
  ['STUDENT_DAILY_RECORDINGS', '0'],
  ['STUDENT_DAILY_RECORDINGS', 'many'],
  ['STUDENT_DAILY_RECORDINGS', '1000000'],
  ['LOG_LEVEL', 'loud'],
])('rejects %s=%s with a one-line error that names the variable', (name, value) => {
  expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^${name}: [^\\n]+$`));
});

test.each([
  ['postgres://songs:secret@db1,db2/songs', /^DATABASE_URL: lists several servers/],
  ['postgres://songs:secret@db1:5432,db2:5433/songs', /^DATABASE_URL: lists several servers/],
  ['postgres://songs:secret@db1/songs?host=db1,db2', /^DATABASE_URL: lists several servers/],
  [
    'postgres://songs:secret@db1/songs?target_session_attrs=read-write',
    /^DATABASE_URL: must not set target_session_attrs/,
  ],
])('the error for %s gives the reason and hides the password', (url, sentence) => {
  expect(() => readSettings({ DATABASE_URL: url })).toThrow(sentence);
  expect(() => readSettings({ DATABASE_URL: url })).not.toThrow(/secret/);
});

test.each(['postgres://songs:a,b@db1/songs', 'postgresql:///songs?host=/run/postgresql'])(
  'accepts the DATABASE_URL %s, which names a single server',
  (url) => expect(readSettings({ DATABASE_URL: url }).databaseUrl).toBe(url),
);

test('parses SMTP_URL and decodes its user and password', () => {
  expect(readSettings({}).mailServer).toBeNull();
  expect(readSettings({ SMTP_URL: 'smtp://mail.example.org' }).mailServer).toEqual({
    host: 'mail.example.org',
    port: 587,
    secure: false,
    login: null,
  });
  expect(readSettings({ SMTP_URL: 'smtps://songs%40example.org:p%23ss%2Fword@mail.example.org' }).mailServer)
    // oxfmt-ignore
    .toEqual({
      host: 'mail.example.org',
      port: 465,
      secure: true,
      login: { user: 'songs@example.org', password: 'p#ss/word' },
    });
  expect(readSettings({ SMTP_URL: 'smtp://[::1]:2525' }).mailServer).toMatchObject({
    host: '::1',
    port: 2525,
  });
});

test('the error for an invalid SMTP_URL does not contain its password', () => {
  const wrong = { SMTP_URL: 'smtp://songs:the-secret-word@mail.example.org/path' };
  expect(() => readSettings(wrong)).not.toThrow(/the-secret-word/);
  expect(() => readSettings(wrong)).toThrow(/^SMTP_URL: /);
});

test('the default sender address of emails uses the host of PUBLIC_URL', () => {
  const from = (environment: NodeJS.ProcessEnv) => readSettings(environment).mailFrom;
  expect(from({})).toEqual({ name: 'Yangchen', address: 'no-reply@localhost' });
  expect(from({ APP_NAME: 'Songs', PUBLIC_URL: 'https://songs.example.org' })).toEqual({
    name: 'Songs',
    address: 'no-reply@songs.example.org',
  });
  expect(from({ PUBLIC_URL: 'http://[::1]:3000' }).address).toBe('no-reply@localhost');
  expect(from({ MAIL_FROM: 'songs@example.org' })).toEqual({ name: '', address: 'songs@example.org' });
  expect(from({ MAIL_FROM: '"Ani, Lhamo" <songs@example.org>' })).toEqual({
    name: 'Ani, Lhamo',
    address: 'songs@example.org',
  });
  expect(from({ MAIL_FROM: 'དབྱངས་ཅན་ <songs@example.org>' }).name).toBe('དབྱངས་ཅན་');
});

test('STUDENT_DAILY_BYTES and MIN_FREE_DISK accept bytes or a size with a unit', () => {
  expect(readSettings({})).toMatchObject({
    minFreeDisk: null,
    studentDaily: { bytes: 500_000_000, recordings: 200 },
  });
  expect(
    readSettings({ MIN_FREE_DISK: '2GB', STUDENT_DAILY_BYTES: '20000000', STUDENT_DAILY_RECORDINGS: '12' }),
  ).toMatchObject({ minFreeDisk: 2_000_000_000, studentDaily: { bytes: 20_000_000, recordings: 12 } });
  expect(readSettings({ MIN_FREE_DISK: '0' }).minFreeDisk).toBe(0);
});
