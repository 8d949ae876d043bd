import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const FLAG_PRESENT = 0x01
const FLAG_ATTESTED = 0x40

/** Values that a browser sends and an authenticator signs, for tests that need them wrong. */
interface Forgery {
  origin?: string
  rpId?: string
  challenge?: string
  signCount?: number
  present?: boolean
}

/** A software authenticator, with the part of the browser that uses it: makes one passkey and signs with it. */
export class Authenticator {
  readonly id = randomBytes(32).toString('base64url')
  signCount = 0
  readonly #origin: string
  readonly #key: KeyObject
  readonly #publicKey: Buffer

  constructor(origin: string) {
    this.#origin = origin
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#key = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const { x, y } = publicKey.export({ format: 'jwk' })
    const bytes = (text: string | undefined) => Buffer.from(text ?? '', 'base64url')
    // COSE: key type 2 (elliptic curve), algorithm -7 (ES256), curve 1 (P-256), and the point.
    this.#publicKey = cborMap([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ])
  }

  /** Responds to the options of `startPasskey`. */
  create(
    wish: { challenge: string; rp: { id: string } },
    forgery: Forgery & { statement?: [string, string | Buffer | Buffer[]][]; format?: string } = {},
  ) {
    const credentialId = Buffer.from(this.id, 'base64url')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(credentialId.length)
    const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, this.#publicKey])
    const authData = Buffer.concat([this.#header(forgery.rpId ?? wish.rp.id, FLAG_ATTESTED, forgery), attested])
    const attestationObject = cborMap([
      ['fmt', forgery.format ?? 'none'],
      ['attStmt', new Map(forgery.statement ?? [])],
      ['authData', authData],
    ])
    const clientDataJSON = this.#clientData('webauthn.create', forgery.challenge ?? wish.challenge, forgery)
    return {
      id: this.id,
      response: {
        clientDataJSON: base64url(clientDataJSON),
        attestationObject: base64url(attestationObject),
        transports: ['usb'],
      },
    }
  }

  /** Signs a challenge and increments the counter. */
  answer(question: { challenge: string; rpId: string }, forgery: Forgery = {}) {
    this.signCount = forgery.signCount ?? this.signCount + 1
    const authenticatorData = this.#header(forgery.rpId ?? question.rpId, 0, forgery)
    const clientDataJSON = this.#clientData('webauthn.get', forgery.challenge ?? question.challenge, forgery)
    const signature = sign(
      'sha256',
      Buffer.concat([authenticatorData, createHash('sha256').update(clientDataJSON).digest()]),
      this.#key,
    )
    return {
      id: this.id,
      response: {
        clientDataJSON: base64url(clientDataJSON),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(signature),
      },
    }
  }

  #header(rpId: string, flags: number, { present = true }: Forgery): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.signCount)
    return Buffer.concat([
      createHash('sha256').update(rpId).digest(),
      Buffer.from([flags | (present ? FLAG_PRESENT : 0)]),
      counter,
    ])
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: Forgery): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }
}

const base64url = (bytes: Buffer) => bytes.toString('base64url')

type Cbor = number | string | Buffer | Buffer[] | Map<string, string | Buffer | Buffer[]>

/** The part of CBOR (RFC 8949) that attestation needs. */
const cborMap = (entries: [string | number, Cbor][]): Buffer =>
  Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, value]) => [cbor(key), cbor(value)])])

const cbor = (value: Cbor): Buffer => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  return cborMap([...value])
}

const head = (major: number, length: number): Buffer => {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 0xff])
}
