import { expect, test } from 'vitest';
import { readSettings } from '#server/config/settings.ts';
import { describeS3Store } from './settings.ts';

const complete = {
  S3_ENDPOINT: 'https://s3.example.org',
  S3_BUCKET: 'songs',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'the-secret-word',
};

const read = (more: NodeJS.ProcessEnv = {}) => readSettings({ ...complete, ...more }).s3!;

test('stores media on disk if no S3 variable is set', () => {
  expect(readSettings({}).s3).toBeNull();
  expect(readSettings({ S3_BUCKET: '', S3_PREFIX: '' }).s3).toBeNull();
});

test('a self-hosted store needs an endpoint, a bucket and a key', () => {
  expect(read()).toEqual({
    endpoint: 'https://s3.example.org',
    region: 'us-east-1',
    bucket: 'songs',
    prefix: '',
    forcePathStyle: true,
    accessKeyId: 'key',
    secretAccessKey: 'the-secret-word',
  });
  expect(read({ S3_FORCE_PATH_STYLE: 'false' }).forcePathStyle).toBe(false);
});

test('Amazon S3 needs a region instead of an endpoint', () => {
  const given = { S3_ENDPOINT: '', S3_REGION: 'eu-central-1' };
  expect(read(given)).toMatchObject({ endpoint: null, region: 'eu-central-1', forcePathStyle: false });
  expect(describeS3Store(read(given))).toBe('the bucket songs at Amazon S3 in eu-central-1');
});

test.each([
  ['songs', 'songs/'],
  ['/songs/', 'songs/'],
  ['our songs/2026', 'our songs/2026/'],
  ['/', ''],
])('the S3_PREFIX %j becomes the folder %j', (given, folder) => {
  expect(read({ S3_PREFIX: given }).prefix).toBe(folder);
});

test.each([
  [{ S3_BUCKET: '' }, /^S3_BUCKET: is missing/],
  [{ S3_ACCESS_KEY_ID: '' }, /^S3_ACCESS_KEY_ID: is missing/],
  [{ S3_SECRET_ACCESS_KEY: '' }, /^S3_SECRET_ACCESS_KEY: is missing/],
  [{ S3_ENDPOINT: '' }, /^S3_ENDPOINT: is missing; .* or S3_REGION for Amazon’s own$/],
  [
    { S3_ENDPOINT: 'http://10.0.0.7:9000', S3_FORCE_PATH_STYLE: 'false' },
    /^S3_FORCE_PATH_STYLE: must be true if S3_ENDPOINT is an IP address/,
  ],
  [
    { S3_ENDPOINT: 'http://[::1]:9000', S3_FORCE_PATH_STYLE: 'false' },
    /^S3_FORCE_PATH_STYLE: must be true if S3_ENDPOINT is an IP address/,
  ],
  [{ S3_BUCKET: 'Our_Songs', S3_FORCE_PATH_STYLE: 'false' }, /^S3_FORCE_PATH_STYLE: must be true with this/],
])('startup with %j fails with a line that names the variable to set', (more, line) => {
  const reading = () => readSettings({ ...complete, ...more });
  expect(reading).toThrow(line);
  expect(reading).not.toThrow(/\n|the-secret-word/);
});

test('MEDIA_REDIRECT needs an S3 store, and MEDIA_ACCEL needs media on disk', () => {
  expect(readSettings({ ...complete, MEDIA_REDIRECT: 'signed' }).mediaRedirect).toBe('signed');
  expect(readSettings({ MEDIA_ACCEL: '/stored' }).mediaAccel).toBe('/stored');
  expect(() => readSettings({ MEDIA_REDIRECT: 'signed' })).toThrow(/^MEDIA_REDIRECT: needs media in an S3/);
  expect(() => readSettings({ ...complete, MEDIA_ACCEL: '/stored' })).toThrow(
    /^MEDIA_ACCEL: is for media in DATA_DIR/,
  );
});

test('S3_PREFIX alone is rejected with the names of the missing variables', () => {
  expect(() => readSettings({ S3_PREFIX: 'songs' })).toThrow(
    /^S3_BUCKET: is missing; an S3 store needs S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY; unset all S3_… to keep media in DATA_DIR$/,
  );
});
