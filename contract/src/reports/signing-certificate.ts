import Type from 'typebox'
import { closedObject, endpoint, Nullable, one, Timestamp } from '../core/endpoint.ts'
import { PersonReference } from '../engagement/engagement-details.ts'

/** Bytes of a PKCS#12 file with its chain of certificates. */
const MAX_PKCS12_BYTES = 65_536
const MAX_BASE64 = Math.ceil(MAX_PKCS12_BYTES / 3) * 4

const certificateFields = {
  subject: Type.String({ description: 'the common name of the certificate, otherwise its whole subject' }),
  issuer: Type.String({ description: 'the common name of its issuer, otherwise the whole name' }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64, description: 'of the certificate' }),
  notBefore: Timestamp(),
  notAfter: Timestamp('when it expires'),
  createdBy: Nullable(PersonReference.properties, 'who uploaded it'),
  createdAt: Timestamp('when it was uploaded'),
}

/** The certificate that an organization signs with. Its private key is never returned. */
export const SigningCertificate = closedObject(certificateFields)

const EXAMPLE = {
  subject: 'Northwind Security GmbH',
  issuer: 'Example Trust CA 3',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  notBefore: '2026-01-01T00:00:00.000Z',
  notAfter: '2028-12-31T00:00:00.000Z',
  createdBy: { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' },
  createdAt: '2026-11-21T08:30:00.000Z',
}

export const getSigningCertificate = endpoint({
  id: 'getSigningCertificate',
  method: 'GET',
  path: '/report-settings/certificate',
  scope: 'reports:read',
  about: 'either',
  origin: 'extension',
  summary: 'Read which certificate signs the PDF files of editions.',
  reply: one(closedObject({ certificate: Nullable(certificateFields, 'null: none was uploaded') })),
  example: { reply: { data: { certificate: EXAMPLE } } },
})

export const uploadSigningCertificate = endpoint({
  id: 'uploadSigningCertificate',
  method: 'POST',
  path: '/report-settings/certificate',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Upload the certificate that signs PDF files; it replaces the former one.',
  description:
    'It is 422 with the reason if the passphrase does not open the file, there is no private key, the key is not RSA with at least 2,048 bits, the certificate is not valid now, or its key usage does not allow signatures. The private key and the passphrase are stored encrypted, and no answer has them.',
  body: closedObject({
    pkcs12: Type.String({
      minLength: 1,
      maxLength: MAX_BASE64,
      contentEncoding: 'base64',
      description: 'a PKCS#12 file (.p12, .pfx) of at most 64 KiB, in Base64',
    }),
    passphrase: Type.String({ maxLength: 1_000, description: 'that opens the file' }),
  }),
  bodyLimits: { bytes: 2 * MAX_BASE64 },
  responseTimeout: { seconds: 60 },
  reply: one(SigningCertificate),
  status: 201,
  cost: { perHour: 60, atOnce: 2 },
  example: {
    body: { pkcs12: 'MIIKWQIBAzCCCg8GCSqGSIb3DQEHAaCC', passphrase: 'correct horse' },
    reply: { data: EXAMPLE },
  },
})

export const deleteSigningCertificate = endpoint({
  id: 'deleteSigningCertificate',
  method: 'DELETE',
  path: '/report-settings/certificate',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Remove the certificate with its private key. Signed editions stay as they are.',
  reply: one(closedObject({ deleted: Type.Boolean() })),
  example: { reply: { data: { deleted: true } } },
})
