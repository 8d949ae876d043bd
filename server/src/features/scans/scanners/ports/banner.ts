import type { Socket } from 'node:net'
import { limitTime } from '../../../../platform/concurrency/time-limit.ts'

const WAIT_MS = 1_000
const MAX_BYTES = 4_096

/** Reads what a service sends by itself within a second, at most 4 KB; empty if it sends nothing. */
export const readBanner = (socket: Socket): Promise<Buffer> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = []
    let length = 0
    const finish = () => {
      endLimit()
      socket.pause()
      resolve(Buffer.concat(chunks).subarray(0, MAX_BYTES))
    }
    // A line may arrive in several pieces, so reading continues until its end or the time limit.
    const endLimit = limitTime(WAIT_MS, finish)
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      if (length >= MAX_BYTES || chunk.includes(0x0a)) finish()
    })
    socket.once('close', finish)
  })

export interface Spoken {
  name?: string
  product?: string
  version?: string
  /** The part of the banner to store; undefined: all of it. */
  banner?: string
}

const GREETINGS: readonly [name: string, RegExp][] = [
  ['ftp', /^220[ -][^\r\n]{0,200}FTP/i],
  ['smtp', /^220[ -][^\r\n]{0,200}(?:SMTP|Postfix|Exim|Sendmail)/i],
  ['pop3', /^\+OK\b/],
  ['imap', /^\* (?:OK|PREAUTH)\b/],
  ['vnc', /^RFB \d{3}\.\d{3}\n/],
  ['rsync', /^@RSYNCD:/],
]

/**
 * The greeting of MySQL and MariaDB: length, sequence number, protocol 10, and the version up to a NUL
 * (protocol::HandshakeV10).
 */
const MYSQL = /^[^]{3}\0\n((?:5\.5\.5-)?(\d{1,2}\.\d{1,3}\.\d{1,3})[\w.+:~-]{0,80})\0/

/** Identifies the service of a banner by a few unambiguous greetings. */
export const recogniseBanner = (banner: Buffer): Spoken => {
  const text = banner.toString('latin1')
  const ssh = /^SSH-[\d.]{1,5}-([^\r\n]{1,200})/.exec(text)?.[1]
  if (ssh !== undefined) {
    const [, product, version] = /^([A-Za-z][A-Za-z-]{0,40})[_-]v?(\d[\w.]{0,20})/.exec(ssh) ?? []
    return { name: 'ssh', ...(product !== undefined && version !== undefined && { product, version }) }
  }
  const [, written, number] = MYSQL.exec(text) ?? []
  // The rest is random for each connection.
  if (written !== undefined && number !== undefined)
    return { name: 'mysql', ...databaseOf(written, number), banner: written }
  const name = GREETINGS.find(([, greeting]) => greeting.test(text))?.[0]
  return name === undefined ? {} : { name }
}

/** MariaDB puts 5.5.5 before its version, so that old MySQL clients accept it. */
const databaseOf = (written: string, version: string): Spoken => ({
  product: /mariadb/i.test(written) ? 'MariaDB' : 'MySQL',
  version,
})
