import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { freePort } from '../app/server-process.ts'

/**
 * accept: accepts every mail. try later: 451 for the recipient. refuse: 550 for the recipient. slow: accepts it after
 * this number of milliseconds. drop: accepts the mail and cuts the connection before the reply.
 */
export type SmtpBehaviour = 'accept' | 'try later' | 'refuse' | 'drop' | { slowMs: number }

/** A mail server that keeps its mails, with faults. */
export class SmtpSink {
  readonly port: number
  readonly mails: Email[] = []
  behaviour: SmtpBehaviour = 'accept'
  /** Recipients named so far, also refused ones. */
  attempts = 0
  #server: SMTPServer | undefined

  private constructor(port: number) {
    this.port = port
  }

  /** Does not listen yet: `up()` starts that. */
  static async create(): Promise<SmtpSink> {
    return new SmtpSink(await freePort())
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`
  }

  async up(): Promise<void> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      closeTimeout: 100,
      onRcptTo: (_address, _session, callback) => {
        this.attempts++
        if (this.behaviour === 'try later') callback(Object.assign(new Error('try again later'), { responseCode: 451 }))
        else if (this.behaviour === 'refuse')
          callback(Object.assign(new Error('no such mailbox'), { responseCode: 550 }))
        else callback()
      },
      onData: (stream, session, callback) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk) => chunks.push(chunk))
        stream.on('end', () => void this.#take(Buffer.concat(chunks), session.id, callback))
      },
    })
    server.on('error', () => undefined)
    this.#server = server
    await new Promise<void>((resolve) => {
      server.listen(this.port, '127.0.0.1', resolve)
    })
  }

  async down(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (server) await new Promise<void>((resolve) => server.close(resolve))
  }

  async #take(bytes: Buffer, sessionId: string, callback: (error?: Error) => void): Promise<void> {
    this.mails.push(await PostalMime.parse(bytes))
    if (this.behaviour === 'drop') this.#cut(sessionId)
    else if (typeof this.behaviour === 'object') setTimeout(() => callback(), this.behaviour.slowMs)
    else callback()
  }

  #cut(sessionId: string): void {
    const connections = (this.#server as unknown as { connections: Set<{ id: string; _socket: { destroy(): void } }> })
      .connections
    for (const connection of connections) if (connection.id === sessionId) connection._socket.destroy()
  }
}
