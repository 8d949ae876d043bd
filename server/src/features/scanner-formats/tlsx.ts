import { certificateItems } from './fields/certificates.ts'
import { ROW_TIMES } from './fields/stated-times.ts'
import { recordItems } from './readers/records.ts'
import type { Format } from './registry/format.ts'

/** JSON rows of tlsx. A failed probe (`probe_status: false`) yields no certificate. */
export const tlsx: Format = {
  id: 'tlsx',
  name: 'tlsx JSON lines',
  recognisedBy: 'rows with host, port and tls_version, subject_cn or probe_status',
  knowsCoverage: false,
  statedTimes: () => ({ patterns: [ROW_TIMES] }),
  isIn: (head) =>
    head.shape === 'json' &&
    head.keys.has('host') &&
    head.keys.has('port') &&
    !head.keys.has('url') &&
    ['tls_version', 'subject_cn', 'probe_status'].some((key) => head.keys.has(key)),
  read: (text) => recordItems(text, certificateItems),
}
