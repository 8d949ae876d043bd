import { X509Certificate } from 'node:crypto'
import { P12Signer } from '@signpdf/signer-p12'
import { SignPdf } from '@signpdf/signpdf'
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

export interface Certificate {
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

const requireCertificate = (identity: Identity, now: number): Certificate => {
  const { certificates, keys } = bagsOf(identity)
  if (keys.length === 0) throw new Unusable('pkcs12: has no private key')
  const key = keys.flatMap((bag) => (bag.key && isRsa(bag.key) ? [bag.key] : []))[0]
  if (!key) throw new Unusable('pkcs12: its key is not an RSA key, and only RSA keys can sign')
  const own = certificates.find(({ cert }) => cert && isOf(cert, key))?.cert
  if (!own) throw new Unusable('pkcs12: has no certificate for its private key')
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
    const certificate = requireCertificate(identity, now)
    const signature = await signerOf(identity).sign(Buffer.from('a test'), new Date(now))
    if (signature.length > SIGNATURE_BYTES) throw new Unusable('pkcs12: has too many certificates')
    return { certificate }
  } catch (error) {
    if (error instanceof Unusable) return { refusal: error.message }
    throw error
  }
}

const signerOf = ({ pkcs12, passphrase }: Identity): P12Signer => new P12Signer(Buffer.from(pkcs12), { passphrase })

export interface FinishTask {
  pdf: Uint8Array
  /** Null: everybody opens the file. */
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
  return signature ? new SignPdf().sign(bytes, signerOf(signature.identity), new Date(signature.at)) : bytes
}
