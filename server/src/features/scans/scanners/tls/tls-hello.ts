import { randomBytes, X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import { limitTime } from '../../../../platform/concurrency/time-limit.ts'

/**
 * Cipher suites with finite-field Diffie-Hellman that servers still support, by their number (IANA registry), best
 * first.
 */
const SUITES = new Map([
  [0x009f, 'TLS_DHE_RSA_WITH_AES_256_GCM_SHA384'],
  [0x009e, 'TLS_DHE_RSA_WITH_AES_128_GCM_SHA256'],
  [0xccaa, 'TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256'],
  [0x00a3, 'TLS_DHE_DSS_WITH_AES_256_GCM_SHA384'],
  [0x00a2, 'TLS_DHE_DSS_WITH_AES_128_GCM_SHA256'],
  [0x006b, 'TLS_DHE_RSA_WITH_AES_256_CBC_SHA256'],
  [0x0067, 'TLS_DHE_RSA_WITH_AES_128_CBC_SHA256'],
  [0x006a, 'TLS_DHE_DSS_WITH_AES_256_CBC_SHA256'],
  [0x0040, 'TLS_DHE_DSS_WITH_AES_128_CBC_SHA256'],
  [0x0039, 'TLS_DHE_RSA_WITH_AES_256_CBC_SHA'],
  [0x0033, 'TLS_DHE_RSA_WITH_AES_128_CBC_SHA'],
  [0x0038, 'TLS_DHE_DSS_WITH_AES_256_CBC_SHA'],
  [0x0032, 'TLS_DHE_DSS_WITH_AES_128_CBC_SHA'],
  [0x0088, 'TLS_DHE_RSA_WITH_CAMELLIA_256_CBC_SHA'],
  [0x0045, 'TLS_DHE_RSA_WITH_CAMELLIA_128_CBC_SHA'],
  [0x0016, 'TLS_DHE_RSA_WITH_3DES_EDE_CBC_SHA'],
  [0x0013, 'TLS_DHE_DSS_WITH_3DES_EDE_CBC_SHA'],
  [0x0014, 'TLS_DHE_RSA_EXPORT_WITH_DES40_CBC_SHA'],
  [0x00a7, 'TLS_DH_anon_WITH_AES_256_GCM_SHA384'],
  [0x00a6, 'TLS_DH_anon_WITH_AES_128_GCM_SHA256'],
  [0x003a, 'TLS_DH_anon_WITH_AES_256_CBC_SHA'],
  [0x0034, 'TLS_DH_anon_WITH_AES_128_CBC_SHA'],
  [0x001b, 'TLS_DH_anon_WITH_3DES_EDE_CBC_SHA'],
  [0x0018, 'TLS_DH_anon_WITH_RC4_128_MD5'],
])
/** RSA, RSA-PSS and DSA with SHA-256 to SHA-512, and with SHA-1 (RFC 8446, 4.2.3). */
const SIGNATURES = [0x0401, 0x0501, 0x0601, 0x0804, 0x0805, 0x0806, 0x0402, 0x0201, 0x0202]
const VERSIONS = new Map([
  [0x0303, 'TLSv1.2'],
  [0x0302, 'TLSv1.1'],
  [0x0301, 'TLSv1'],
])
const RECORD = { alert: 21, handshake: 22 } as const
const MESSAGE = { clientHello: 1, serverHello: 2, certificate: 11 } as const
const EXTENSION = { serverName: 0, signatures: 13, renegotiation: 0xff01 } as const
/** More than any certificate chain that OpenSSL accepts (100 kB). */
const MAX_BYTES = 131_072
/** Limits re-parsing: each read parses everything again, and a server can send byte by byte. */
const MAX_READS = 100

export interface Greeting {
  version: string
  cipher: string
  /** Absent for an anonymous cipher. */
  certificate: X509Certificate | undefined
}

/**
 * Offers a server finite-field Diffie-Hellman, and reads its plain-text response: version, cipher and certificate of
 * TLS 1.2 and earlier (RFC 5246, 7.4). Computes nothing with the server's numbers, because the server chooses their
 * size (finding T5).
 *
 * @param socket destroyed at the time limit
 * @returns undefined if the server does not support it, or responds otherwise
 */
export const greetWithFiniteFields = async (
  socket: Socket,
  serverName: string | undefined,
  timeoutMs: number,
): Promise<Greeting | undefined> => {
  const endLimit = limitTime(timeoutMs, () => socket.destroy())
  socket.on('error', () => undefined)
  try {
    socket.write(clientHello(serverName))
    let received = Buffer.alloc(0)
    let reads = 0
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      received = Buffer.concat([received, chunk])
      const greeting = readGreeting(received)
      if (greeting !== 'more') return greeting
      if (received.length > MAX_BYTES || ++reads > MAX_READS) return undefined
    }
    return undefined
  } catch {
    // The server closed early, or sent an invalid certificate.
    return undefined
  } finally {
    endLimit()
    socket.destroy()
  }
}

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff])
const uint24 = (value: number): Buffer => Buffer.from([value >> 16, (value >> 8) & 0xff, value & 0xff])
/** Prefixes the content with its length in two bytes. */
const counted = (...parts: Buffer[]): Buffer => {
  const whole = Buffer.concat(parts)
  return Buffer.concat([uint16(whole.length), whole])
}
const extension = (type: number, content: Buffer): Buffer => Buffer.concat([uint16(type), counted(content)])

const clientHello = (serverName: string | undefined): Buffer => {
  const named =
    serverName === undefined
      ? []
      : [extension(EXTENSION.serverName, counted(Buffer.from([0]), counted(Buffer.from(serverName))))]
  const hello = Buffer.concat([
    uint16(0x0303),
    randomBytes(32),
    // No session id, and no compression.
    Buffer.from([0]),
    counted(...[...SUITES.keys()].map(uint16)),
    Buffer.from([1, 0]),
    counted(
      ...named,
      extension(EXTENSION.signatures, counted(...SIGNATURES.map(uint16))),
      extension(EXTENSION.renegotiation, Buffer.from([0])),
    ),
  ])
  const message = Buffer.concat([Buffer.from([MESSAGE.clientHello]), uint24(hello.length), hello])
  // Old servers expect the oldest version in the record layer.
  return Buffer.concat([Buffer.from([RECORD.handshake]), uint16(0x0301), counted(message)])
}

const readGreeting = (received: Buffer): Greeting | 'more' | undefined => {
  const handshake: Buffer[] = []
  for (let at = 0; at + 5 <= received.length;) {
    if (received[at] !== RECORD.handshake) return undefined
    const end = at + 5 + received.readUInt16BE(at + 3)
    handshake.push(received.subarray(at + 5, end))
    at = end
  }
  const messages = Buffer.concat(handshake)
  let hello: Omit<Greeting, 'certificate'> | undefined
  for (let at = 0; at + 4 <= messages.length;) {
    const end = at + 4 + messages.readUIntBE(at + 1, 3)
    if (end > messages.length) return 'more'
    const [type, body] = [messages[at], messages.subarray(at + 4, end)]
    if (!hello) {
      hello = type === MESSAGE.serverHello ? helloIn(body) : undefined
      if (!hello) return undefined
    } else if (type === MESSAGE.certificate)
      return { ...hello, certificate: new X509Certificate(body.subarray(6, 6 + body.readUIntBE(3, 3))) }
    else return { ...hello, certificate: undefined }
    at = end
  }
  return 'more'
}

const helloIn = (body: Buffer): Omit<Greeting, 'certificate'> | undefined => {
  const version = VERSIONS.get(body.readUInt16BE(0))
  const cipher = SUITES.get(body.readUInt16BE(35 + body.readUInt8(34)))
  return version !== undefined && cipher !== undefined ? { version, cipher } : undefined
}
