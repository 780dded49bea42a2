import { findProgram } from '../find-chromium.js';
import { installByApt, mayInstallByApt } from './apt.js';

/** Debian's packages, each by a program in it. */
const PACKAGES = { radosgw: 'radosgw', 'ceph-mon': 'ceph-mon', 'ceph-osd': 'ceph-osd', nginx: 'nginx-light' };

/**
 * Tries to get the servers of the tests at scale; without one, the tests that need it are skipped, and say so.
 * @returns {Promise<number>} an exit code
 */
export async function provideScale() {
  const missing = Object.entries(PACKAGES).filter(([program]) => !findProgram(program));
  if (missing.length > 0 && mayInstallByApt()) {
    console.log('Installing Ceph and nginx for the tests at scale …');
    await installByApt(missing.map(([, name]) => name));
  }
  return 0;
}
