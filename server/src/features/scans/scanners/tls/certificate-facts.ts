import type { X509Certificate } from 'node:crypto'
import type { CertificateSeen } from '../../../inventory/sightings/web-sightings.ts'

/** Limit, because certificates may name each other as issuers. */
const MAX_CHAIN = 20

type CertificateFacts = Omit<Partial<CertificateSeen>, 'names'> & { names?: readonly string[] }

/** Converts a certificate to the fields of a result; empty if the server sends none. */
export const certificateFacts = (
  certificate: X509Certificate | undefined,
  askedName: string | undefined,
): CertificateFacts => {
  if (!certificate) return {}
  return {
    sha256: certificate.fingerprint256,
    subject: inOneLine(certificate.subject),
    issuer: inOneLine(certificate.issuer),
    names: namesIn(certificate.subjectAltName),
    notBefore: timeOf(certificate.validFromDate),
    notAfter: timeOf(certificate.validToDate),
    serial: certificate.serialNumber,
    selfSigned: isSelfSigned(certificate),
    chain: chainOf(certificate),
    ...(askedName !== undefined && { mismatched: certificate.checkHost(askedName) === undefined }),
  }
}

const chainOf = (leaf: X509Certificate): (string | undefined)[] => {
  const subjects: (string | undefined)[] = []
  for (let next = leaf.issuerCertificate; next && subjects.length < MAX_CHAIN; next = next.issuerCertificate)
    subjects.push(inOneLine(next.subject))
  return subjects
}

/** Converts `CN=shop.example.com\nO=Contoso` to one line. */
const inOneLine = (name: string | undefined): string | undefined => name?.split('\n').toReversed().join(', ')

/** Parses `DNS:a.example, IP Address:192.0.2.1`. A name with a comma is quoted, and is not a host name. */
const namesIn = (alternatives: string | undefined): string[] =>
  (alternatives ?? '')
    .split(', ')
    .map((entry) => /^(?:DNS|IP Address):([^"]+)$/.exec(entry)?.[1])
    .filter((name) => name !== undefined)

const timeOf = (date: Date): string | undefined => (Number.isNaN(date.getTime()) ? undefined : date.toISOString())

const isSelfSigned = (certificate: X509Certificate): boolean => {
  try {
    return certificate.checkIssued(certificate) && certificate.verify(certificate.publicKey)
  } catch {
    // A key of an unsupported type verifies nothing.
    return false
  }
}
