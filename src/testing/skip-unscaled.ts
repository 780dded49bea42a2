import { beforeEach, inject } from 'vitest';

const missing = inject('s3Missing') ?? inject('nginxMissing');

beforeEach((test) => {
  if (missing) test.skip(missing);
});
