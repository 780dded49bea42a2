import { findProgram } from '../find-program.js';
import { installByApt, mayInstallByApt } from './apt.js';

/** Debian's packages, each by a program in it. */
const PACKAGES = {
  ...{ radosgw: 'radosgw', 'ceph-mon': 'ceph-mon', 'ceph-osd': 'ceph-osd' },
  ...{ nginx: 'nginx-light', openssl: 'openssl', pgbouncer: 'pgbouncer' },
};

/**
 * Tries to get the servers of the tests at scale; without one, the tests that need it are skipped, and say so. No mail
 * server where there is another: apt would remove that.
 * @returns {Promise<number>} an exit code
 */
export async function provideScale() {
  const mail = findProgram('sendmail') ? {} : { exim4: 'exim4-daemon-light' };
  const missing = Object.entries({ ...PACKAGES, ...mail }).filter(([program]) => !findProgram(program));
  if (missing.length > 0 && mayInstallByApt()) {
    const packages = missing.map(([, name]) => name);
    console.log(`Installing ${packages.join(', ')} for the tests at scale …`);
    await installByApt(packages);
  }
  return 0;
}
