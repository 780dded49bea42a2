import { beforeEach, inject } from 'vitest';

const missing = inject('s3Missing');

beforeEach((test) => {
  if (missing) test.skip(missing);
});
