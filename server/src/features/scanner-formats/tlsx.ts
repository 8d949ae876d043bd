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
  read: (text) => recordItems(text, certificateItems, FIELDS),
}

/** Every field of `Response` and `CertificateResponse` (`pkg/tlsx/clients`). */
const FIELDS = new Set(
  `timestamp host ip port probe_status error tls_version cipher expired self_signed mismatched revoked untrusted not_before not_after subject_dn
  subject_cn subject_org subject_an domains serial issuer_dn issuer_cn issuer_org emails fingerprint_hash wildcard_certificate certificate
  tls_connection chain jarm_hash ja3_hash ja3s_hash sni version_enum cipher_enum client_cert_required client_hello server_hello`.split(
    /\s+/,
  ),
)
