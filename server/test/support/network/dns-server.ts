import { createSocket, type Socket } from 'node:dgram'
import { type Answer, decode, encode } from 'dns-packet'

/** RFC 1035, section 4.1.1. */
const SERVER_FAILURE = 2
const NAME_ERROR = 3

/** A name server, on loopback by default, with answers that a test sets. */
export class DnsServer {
  /** TXT records by name; `failing` names get SERVFAIL. Names in neither do not exist. */
  readonly texts = new Map<string, string[]>()
  readonly failing = new Set<string>()
  /** Addresses by name, evaluated for each query. */
  readonly addresses = new Map<string, (type: 'A' | 'AAAA') => string[]>()
  /** Addresses of all other names. */
  others: string[] = []
  /** TTL of addresses, in seconds. */
  ttl = 0
  /** Records of other types by name. */
  readonly records = new Map<string, Answer[]>()
  /** Names that are never answered. */
  readonly silent = new Set<string>()
  readonly asked: string[] = []
  /** Awaited before a query for this name is answered. */
  before: (name: string) => Promise<void> | undefined = () => undefined
  readonly address: string
  readonly #socket: Socket

  private constructor(socket: Socket) {
    this.#socket = socket
    const { address: own, port: ownPort } = socket.address()
    this.address = `${own}:${ownPort}`
    socket.on('message', (message, { address, port }) => {
      const send = () => {
        const answer = this.#answer(message)
        if (answer) socket.send(answer, port, address)
      }
      const waiting = this.before(decode(message).questions?.[0]?.name.toLowerCase() ?? '')
      if (waiting) void waiting.then(send)
      else send()
    })
  }

  static async start(address = '127.0.0.1', port = 0): Promise<DnsServer> {
    const socket = createSocket('udp4')
    await new Promise<void>((resolve) => {
      socket.bind(port, address, resolve)
    })
    return new DnsServer(socket)
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.close(resolve)
    })
  }

  #answer(message: Buffer): Buffer | undefined {
    const { id, questions = [] } = decode(message)
    const name = questions[0]?.name.toLowerCase() ?? ''
    this.asked.push(name)
    if (this.silent.has(name)) return undefined
    const isKnown = this.texts.has(name) || this.addresses.has(name) || this.records.has(name) || this.others.length > 0
    const code = this.failing.has(name) ? SERVER_FAILURE : isKnown ? 0 : NAME_ERROR
    const answers = code === 0 ? this.#records(name, questions[0]?.type) : []
    return encode({ type: 'response', id: id ?? 0, flags: code, questions, answers })
  }

  #addressesOf(name: string, type: 'A' | 'AAAA'): string[] {
    return this.addresses.get(name)?.(type) ?? (type === 'A' ? this.others : [])
  }

  #records(name: string, type: string | undefined): Answer[] {
    if (type === 'A' || type === 'AAAA')
      return this.#addressesOf(name, type).map((data) => ({ type, name, ttl: this.ttl, data }))
    const records = (this.records.get(name) ?? []).filter((record) => record.type === type)
    if (type !== 'TXT' || records.length > 0) return records
    return (this.texts.get(name) ?? []).map((data) => ({ type: 'TXT', name, ttl: 0, data }))
  }
}
