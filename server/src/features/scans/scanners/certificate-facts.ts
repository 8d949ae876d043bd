import type { X509Certificate } from 'node:crypto'
import type { CertificateSeen } from '../../results/web-sightings.ts'

/** Certificates may name each other as issuers. */
const MAX_CHAIN = 20

type CertificateFacts = Omit<Partial<CertificateSeen>, 'names'> & { names?: readonly string[] }

/** What a certificate says of itself, in the words of results; nothing of a server that shows none. */
export const certificateFacts = (certificate: X509Certificate | undefined, askedName: string | undefined): CertificateFacts => {
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
  for (let next = leaf.issuerCertificate; next && subjects.length < MAX_CHAIN; next = next.issuerCertificate) subjects.push(inOneLine(next.subject))
  return subjects
}

/** `CN=shop.example.com\nO=Contoso` in a line. */
const inOneLine = (name: string | undefined): string | undefined => name?.split('\n').toReversed().join(', ')

/** `DNS:a.example, IP Address:192.0.2.1`; a name with a comma stands in quotes, and is no name of a host. */
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
    // A key of a kind that this machine does not know verifies nothing.
    return false
  }
}
