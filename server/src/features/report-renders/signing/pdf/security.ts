import { createCipheriv, hash, randomBytes } from 'node:crypto'

const NO_IV = Buffer.alloc(16)
const AES_BLOCK = 16
/** ISO 32000-2, 7.6.4.3.4 (algorithm 2.B): rounds at least, and copies of the input in each. */
const MIN_ROUNDS = 64
const COPIES = 64
const HASHES = ['sha256', 'sha384', 'sha512'] as const
/** Everything is allowed to those who open the file. */
const PERMISSIONS = -4

const unpadded = (algorithm: string, key: Buffer, iv: Buffer | null, data: Buffer): Buffer => {
  const cipher = createCipheriv(algorithm, key, iv).setAutoPadding(false)
  return Buffer.concat([cipher.update(data), cipher.final()])
}

/** The key that a password gives (algorithm 2.B). */
const stretch = (password: Buffer, salt: Buffer, user: Buffer): Buffer => {
  let key = hash('sha256', Buffer.concat([password, salt, user]), 'buffer')
  for (let round = 0, last = 0; round < MIN_ROUNDS || last > round - 32; round++) {
    const input = Buffer.concat(Array.from({ length: COPIES }, () => Buffer.concat([password, key, user])))
    const encrypted = unpadded('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32), input)
    const sum = encrypted.subarray(0, AES_BLOCK).reduce((total, byte) => total + byte, 0)
    key = hash(HASHES[sum % HASHES.length] as (typeof HASHES)[number], encrypted, 'buffer')
    last = encrypted.at(-1) as number
  }
  return key.subarray(0, 32)
}

/** The entries of a password: its hash with both salts, and the file's key as it seals it. */
const sealedBy = (password: Buffer, fileKey: Buffer, user: Buffer) => {
  const [forCheck, forKey] = [randomBytes(8), randomBytes(8)]
  return {
    check: Buffer.concat([stretch(password, forCheck, user), forCheck, forKey]),
    key: unpadded('aes-256-cbc', stretch(password, forKey, user), NO_IV, fileKey),
  }
}

interface PdfSecurity {
  /** The dictionary `/Encrypt` refers to. */
  dictionary: string
  encrypt: (plain: Buffer) => Buffer
}

const hex = (bytes: Buffer): string => `<${bytes.toString('hex')}>`

/**
 * AES-256 of PDF 2.0: the standard security handler, revision 6. The password opens the file; the owner's is random,
 * so that no one has it.
 *
 * @param password at most 127 bytes of UTF-8
 */
export const createSecurity = (password: string): PdfSecurity => {
  const fileKey = randomBytes(32)
  const user = sealedBy(Buffer.from(password, 'utf8'), fileKey, Buffer.alloc(0))
  const owner = sealedBy(randomBytes(32), fileKey, user.check)
  const permissions = Buffer.alloc(AES_BLOCK, 0xff)
  permissions.writeInt32LE(PERMISSIONS)
  permissions.write('Tadb', 8, 'latin1')
  randomBytes(4).copy(permissions, 12)
  const sealedPermissions = unpadded('aes-256-ecb', fileKey, null, permissions)
  return {
    dictionary: [
      `<< /Filter /Standard /V 5 /R 6 /Length 256 /P ${PERMISSIONS} /EncryptMetadata true`,
      `/U ${hex(user.check)} /UE ${hex(user.key)}`,
      `/O ${hex(owner.check)} /OE ${hex(owner.key)} /Perms ${hex(sealedPermissions)}`,
      '/CF << /StdCF << /Type /CryptFilter /CFM /AESV3 /AuthEvent /DocOpen /Length 32 >> >>',
      '/StmF /StdCF /StrF /StdCF >>',
    ].join('\n'),
    encrypt: (plain) => {
      const iv = randomBytes(AES_BLOCK)
      const cipher = createCipheriv('aes-256-cbc', fileKey, iv)
      return Buffer.concat([iv, cipher.update(plain), cipher.final()])
    },
  }
}
