import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

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
