import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { type Listener, listenWith } from '../clients/listeners.ts'

/** The offer of a TLS client (RFC 8446, 4.1.2). */
export interface Hello {
  ciphers: number[]
  groups: number[]
}

const SUPPORTED_GROUPS = 10

/** @param record the complete first record of a connection */
export const readHello = (record: Buffer): Hello => {
  let at = 5 + 4 + 2 + 32
  at += 1 + record.readUInt8(at)
  const ciphersEnd = at + 2 + record.readUInt16BE(at)
  const ciphers: number[] = []
  for (at += 2; at < ciphersEnd; at += 2) ciphers.push(record.readUInt16BE(at))
  at += 1 + record.readUInt8(at)
  const end = at + 2 + record.readUInt16BE(at)
  const groups: number[] = []
  for (at += 2; at < end; at += 4 + record.readUInt16BE(at + 2)) {
    if (record.readUInt16BE(at) !== SUPPORTED_GROUPS) continue
    for (let each = at + 6; each < at + 4 + record.readUInt16BE(at + 2); each += 2)
      groups.push(record.readUInt16BE(each))
  }
  return { ciphers, groups }
}

/** Listens for TLS clients, records their offers, and answers nothing. */
export const listenForHellos = async (): Promise<{ listener: Listener; hellos: Hello[] }> => {
  const hellos: Hello[] = []
  const listener = await listenWith(
    createServer((socket: Socket) => {
      socket.on('error', () => undefined)
      void once(socket, 'data').then(([first]: unknown[]) => {
        const record = first as Buffer
        if (record[0] === 22) hellos.push(readHello(record))
        socket.destroy()
      })
    }),
  )
  return { listener, hellos }
}

/** Cipher suites of the IANA registry with DHE, ADH or static DH, and PSK with DHE. */
const FINITE_FIELD_CIPHERS: readonly [number, number][] = [
  [0x0b, 0x1b],
  [0x2d, 0x2d],
  [0x30, 0x34],
  [0x36, 0x3a],
  [0x3e, 0x40],
  [0x42, 0x46],
  [0x67, 0x6d],
  [0x85, 0x89],
  [0x8e, 0x91],
  [0x98, 0x9b],
  [0x9e, 0xa7],
  [0xaa, 0xab],
  [0xb2, 0xb5],
  [0xbb, 0xbf],
  [0xc1, 0xc5],
  [0xc09e, 0xc09f],
  [0xc0a2, 0xc0a3],
  [0xccaa, 0xccaa],
  [0xccad, 0xccad],
]
const isWithin = (value: number, ranges: readonly [number, number][]) =>
  ranges.some(([from, to]) => value >= from && value <= to)

/** The parts of an offer that make a client compute in a finite field of the server's choice. */
export const finiteFieldsIn = ({ ciphers, groups }: Hello): string[] => [
  ...ciphers
    .filter((cipher) => isWithin(cipher, FINITE_FIELD_CIPHERS))
    .map((cipher) => `cipher 0x${cipher.toString(16)}`),
  // ffdhe2048 to ffdhe8192 and those reserved for private use (RFC 7919, 2).
  ...groups.filter((group) => group >= 0x0100 && group <= 0x01ff).map((group) => `group 0x${group.toString(16)}`),
]
