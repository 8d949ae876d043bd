import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import forge from 'node-forge'

const run = promisify(execFile)
const DAY_MS = 24 * 60 * 60 * 1000

export interface CertificateOptions {
  passphrase?: string
  /** Arguments of `openssl req` for the key. */
  key?: readonly string[]
  /** As openssl writes it. */
  keyUsage?: string
  days?: number
  hasKey?: boolean
}

/** A PKCS#12 file that openssl makes, with a certificate that signs itself, in Base64. */
export const pkcs12Of = async ({
  passphrase = 'correct horse',
  key = ['-newkey', 'rsa:2048'],
  keyUsage = 'digitalSignature,nonRepudiation',
  days = 365,
  hasKey = true,
}: CertificateOptions = {}): Promise<string> => {
  const directory = await mkdtemp(path.join(tmpdir(), 'certificate-'))
  const openssl = (args: readonly string[]) => run('openssl', args, { cwd: directory })
  const subject = '/O=Northwind/CN=Northwind Security Zürich'
  try {
    await openssl([
      'req',
      '-x509',
      ...key,
      '-nodes',
      '-keyout',
      'key.pem',
      '-out',
      'certificate.pem',
      '-days',
      String(days),
      '-subj',
      subject,
      '-utf8',
      '-addext',
      `keyUsage=critical,${keyUsage}`,
    ])
    const content = hasKey ? ['-inkey', 'key.pem'] : ['-nokeys']
    await openssl([
      'pkcs12',
      '-export',
      '-in',
      'certificate.pem',
      ...content,
      '-out',
      'identity.p12',
      '-passout',
      `pass:${passphrase}`,
    ])
    return (await readFile(path.join(directory, 'identity.p12'))).toString('base64')
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** A PKCS#12 file with the passphrase `correct horse`, in Base64, made without openssl. */
export const ownPkcs12 = (): string => {
  const { privateKey, publicKey } = forge.pki.rsa.generateKeyPair(2048)
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = publicKey
  certificate.serialNumber = '01'
  certificate.validity.notBefore = new Date(Date.now() - DAY_MS)
  certificate.validity.notAfter = new Date(Date.now() + 365 * DAY_MS)
  const names = [{ name: 'commonName', value: 'Northwind Security' }]
  certificate.setSubject(names)
  certificate.setIssuer(names)
  certificate.setExtensions([{ name: 'keyUsage', digitalSignature: true, nonRepudiation: true }])
  certificate.sign(privateKey, forge.md.sha256.create())
  const file = forge.pkcs12.toPkcs12Asn1(privateKey, [certificate], 'correct horse')
  return Buffer.from(forge.asn1.toDer(file).getBytes(), 'binary').toString('base64')
}
