import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings } from './settings.ts';

test('without any variable it is the community of the documentation on port 3000', () => {
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
  ['PUBLIC_URL', 'songs.example'],
  ['PUBLIC_URL', 'ftp://songs.example'],
  ['TRUST_PROXY', 'yes'],
  ['ADMIN_EMAIL', 'teacher'],
  ['ADMIN_USERNAME', 'khandro@la'],
  ['ADMIN_PASSWORD', 'short'],
  ['APP_NAME', '   '],
  ['S3_BUCKET', 'songs'],
  ['SMTP_URL', 'smtp://localhost'],
  ['LOG_LEVEL', 'loud'],
])('%s=%s stops the start with one line that names it', (name, value) => {
  expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^${name}: [^\\n]+$`));
});
