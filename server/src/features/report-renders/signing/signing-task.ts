import { X509Certificate } from 'node:crypto'
import { SignPdf } from '@signpdf/signpdf'
import { Signer } from '@signpdf/utils'
import forge from 'node-forge'
import { addSignature, SIGNATURE_BYTES } from './pdf/add-signature.ts'
import { encryptObject } from './pdf/encrypt-object.ts'
import { readPdfObjects, writePdfObjects } from './pdf/objects.ts'
import { createSecurity } from './pdf/security.ts'

/** A PKCS#12 file with the passphrase that opens it. */
export interface Identity {
  pkcs12: Uint8Array
  passphrase: string
}

interface Certificate {
  /** Its common name, or the whole subject. */
  subject: string
  issuer: string
  /** In hexadecimal. */
  sha256: string
  /** Milliseconds. */
  notBefore: number
  notAfter: number
}

const MIN_BITS = 2_048
/** forge declares the tags of names and those of values as different enums. */
const UTF8: number = forge.asn1.Type.UTF8
const OIDS = {
  data: '1.2.840.113549.1.7.1',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  sha256: '2.16.840.1.101.3.4.2.1',
} as const

/** Why a file cannot be used, with the field that is wrong. */
class Unusable extends Error {}

const bagsOf = ({ pkcs12, passphrase }: Identity) => {
  const asn1 = readAsn1(pkcs12)
  const opened = open(asn1, passphrase)
  const of = (type: string | undefined) => (type === undefined ? [] : (opened.getBags({ bagType: type })[type] ?? []))
  const { certBag, keyBag, pkcs8ShroudedKeyBag } = forge.pki.oids
  return { certificates: of(certBag), keys: [...of(pkcs8ShroudedKeyBag), ...of(keyBag)] }
}

const readAsn1 = (pkcs12: Uint8Array) => {
  try {
    return forge.asn1.fromDer(forge.util.createBuffer(Buffer.from(pkcs12).toString('binary')))
  } catch {
    throw new Unusable('pkcs12: is not a PKCS#12 file')
  }
}

const open = (asn1: forge.asn1.Asn1, passphrase: string) => {
  try {
    return forge.pkcs12.pkcs12FromAsn1(asn1, passphrase)
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    if (reason.includes('password') || reason.includes('MAC')) throw new Unusable('passphrase: does not open this file')
    throw new Unusable('pkcs12: is not a PKCS#12 file, or its encryption is not supported')
  }
}

interface KeyPair {
  key: forge.pki.rsa.PrivateKey
  own: forge.pki.Certificate
  /** All certificates of the file: those of its issuers too. */
  chain: readonly forge.pki.Certificate[]
}

const keyPairOf = (identity: Identity): KeyPair => {
  const { certificates, keys } = bagsOf(identity)
  if (keys.length === 0) throw new Unusable('pkcs12: has no private key')
  const key = keys.flatMap((bag) => (bag.key && isRsa(bag.key) ? [bag.key] : []))[0]
  if (!key) throw new Unusable('pkcs12: its key is not an RSA key, and only RSA keys can sign')
  const chain = certificates.flatMap(({ cert }) => cert ?? [])
  const own = chain.find((certificate) => isOf(certificate, key))
  if (!own) throw new Unusable('pkcs12: has no certificate for its private key')
  return { key, own, chain }
}

const requireCertificate = ({ key, own }: KeyPair, now: number): Certificate => {
  if (key.n.bitLength() < MIN_BITS) throw new Unusable(`pkcs12: its key has fewer than ${MIN_BITS} bits`)
  const { notBefore, notAfter } = own.validity
  if (notAfter.getTime() <= now)
    throw new Unusable(`pkcs12: the certificate expired on ${notAfter.toISOString().slice(0, 10)}`)
  if (notBefore.getTime() > now)
    throw new Unusable(`pkcs12: the certificate is not valid before ${notBefore.toISOString().slice(0, 10)}`)
  requireUsage(own)
  const shown = new X509Certificate(forge.pki.certificateToPem(own))
  return {
    subject: nameOf(shown.subject),
    issuer: nameOf(shown.issuer),
    sha256: shown.fingerprint256.replaceAll(':', '').toLowerCase(),
    notBefore: notBefore.getTime(),
    notAfter: notAfter.getTime(),
  }
}

const isRsa = (key: forge.pki.PrivateKey): key is forge.pki.rsa.PrivateKey => 'n' in key

const isOf = ({ publicKey }: forge.pki.Certificate, key: forge.pki.rsa.PrivateKey): boolean =>
  'n' in publicKey && publicKey.n.compareTo(key.n) === 0

/** A certificate without this extension may be used for everything. */
const requireUsage = (certificate: forge.pki.Certificate): void => {
  const usage: unknown = certificate.getExtension('keyUsage')
  if (typeof usage !== 'object' || usage === null) return
  const allows = (name: string) => Object.entries(usage).some(([key, value]) => key === name && value === true)
  if (!allows('digitalSignature') && !allows('nonRepudiation'))
    throw new Unusable('pkcs12: the key usage of the certificate does not allow signatures')
}

/** @param name a line for each attribute, such as `CN=Northwind` */
const nameOf = (name: string): string => {
  const lines = name.split('\n')
  return lines.find((line) => line.startsWith('CN='))?.slice('CN='.length) ?? lines.join(', ')
}

/** Opens a certificate, and makes a test signature. @param task `now` in milliseconds */
export const readCertificate = async ({
  identity,
  now,
}: {
  identity: Identity
  now: number
}): Promise<{ certificate: Certificate } | { refusal: string }> => {
  try {
    const pair = keyPairOf(identity)
    const certificate = requireCertificate(pair, now)
    const signature = await new CertificateSigner(pair).sign(Buffer.from('a test'), new Date(now))
    if (signature.length > SIGNATURE_BYTES) throw new Unusable('pkcs12: has too many certificates')
    return { certificate }
  } catch (error) {
    if (error instanceof Unusable) return { refusal: error.message }
    throw error
  }
}

/** Makes a detached CMS signature (PKCS #7) with SHA-256. */
class CertificateSigner extends Signer {
  readonly #pair: KeyPair

  constructor(pair: KeyPair) {
    super()
    this.#pair = pair
  }

  override async sign(bytes: Buffer, at = new Date()): Promise<Buffer> {
    const { key, own, chain } = this.#pair
    const signed = forge.pkcs7.createSignedData()
    signed.content = forge.util.createBuffer(bytes.toString('binary'))
    for (const certificate of chain) signed.addCertificate(certificate)
    // forge reads names as bytes, and writes them as characters: a reader would not find the certificate by its issuer.
    for (const attribute of own.issuer.attributes)
      if (Number(attribute.valueTagClass) === UTF8 && typeof attribute.value === 'string')
        attribute.value = Buffer.from(attribute.value, 'latin1').toString('utf8')
    signed.addSigner({
      key,
      certificate: own,
      digestAlgorithm: OIDS.sha256,
      authenticatedAttributes: [
        { type: OIDS.contentType, value: OIDS.data },
        { type: OIDS.signingTime, value: at.toISOString() },
        { type: OIDS.messageDigest },
      ],
    })
    signed.sign({ detached: true })
    return Buffer.from(forge.asn1.toDer(signed.toAsn1()).getBytes(), 'binary')
  }
}

interface FinishTask {
  pdf: Uint8Array
  /** Null: everyone opens the file. */
  password: string | null
  /** Null: no signature. */
  signature: { identity: Identity; name: string; at: number } | null
}

/** Encrypts and signs a PDF file: the signature covers what is encrypted. */
export const finishPdf = async ({ pdf, password, signature }: FinishTask): Promise<Uint8Array> => {
  const file = readPdfObjects(pdf)
  const security = password === null ? null : createSecurity(password)
  const text = (plain: Buffer): string => `<${(security ? security.encrypt(plain) : plain).toString('hex')}>`
  const signed = signature && addSignature(file, signature, text)
  if (security) {
    const fields = signed === null ? [] : [signed, signed + 1]
    for (const [number, object] of file.objects)
      if (!fields.includes(number)) file.objects.set(number, encryptObject(object, security.encrypt))
    const number = Math.max(...file.objects.keys()) + 1
    file.objects.set(number, Buffer.from(`${number} 0 obj\n${security.dictionary}\nendobj\n\n`, 'latin1'))
    file.trailer += `/Encrypt ${number} 0 R\n`
  }
  const bytes = writePdfObjects(file)
  return signature
    ? new SignPdf().sign(bytes, new CertificateSigner(keyPairOf(signature.identity)), new Date(signature.at))
    : bytes
}
