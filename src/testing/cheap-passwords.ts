import argon2 from '@node-rs/argon2';

// Makes password hashes cheap in the tests' own process and, through --import, in programs that the tests
// start. Most tests sign somebody in, and only `passwords.test.ts` is about the cost of a hash.
const { hash, hashRaw } = argon2;
argon2.hash = (password, options) => hash(password, { ...options, memoryCost: 256, timeCost: 1 });
argon2.hashRaw = (secret, options) => hashRaw(secret, { ...options, memoryCost: 256, timeCost: 1 });
