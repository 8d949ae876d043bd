import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { refusalOf } from './signature-check.ts'

/** The server has a lock file of its own, and is installed where walks over the sources do not look. */
const LOCKED = path.resolve('server/test/support/storage/s3rver')
const INSTALLED = path.resolve('node_modules/.cache/sortie-s3rver')

const install = () => {
  const lock = path.join(INSTALLED, 'package-lock.json')
  // npm writes this file last.
  const isInstalled = existsSync(path.join(INSTALLED, 'node_modules/.package-lock.json'))
  if (isInstalled && readFileSync(lock, 'utf8') === readFileSync(path.join(LOCKED, 'package-lock.json'), 'utf8')) return
  rmSync(INSTALLED, { recursive: true, force: true })
  cpSync(LOCKED, INSTALLED, { recursive: true })
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['ci', '--prefix', INSTALLED, ...options], { cwd: INSTALLED, stdio: 'inherit' })
}

interface S3rver {
  run(): Promise<{ port: number }>
  close(): Promise<void>
}
type S3rverClass = new (options: object) => S3rver

export type S3Operation =
  | 'get'
  | 'head'
  | 'list'
  | 'put'
  | 'copy'
  | 'delete'
  | 'begin'
  | 'part'
  | 'complete'
  | 'abort'
  | 'list uploads'

/**
 * hang: no answer. cut: the connection breaks while the request arrives, and nothing is done. lose: it is done, and the
 * connection breaks before the answer. halve: it breaks in the middle of the answer's body. A status with a code of S3:
 * the answer, and nothing is done. drip: the request is read, and the answer written, this many bytes at a time with
 * pauses.
 */
export type S3Fault = 'hang' | 'cut' | 'lose' | 'halve' | { status: number; code: string } | { dripBytes: number }

/** A request that was answered, or met a fault. */
export interface S3Event {
  operation: S3Operation
  /** Empty for the bucket. */
  key: string
  /** 0 without an answer. */
  status: number
}

export interface S3Server {
  port: number
  /** Of the bucket: an object is the file `KEY._S3rver_object` below it. */
  directory: string
  /** Settings of a server that keeps its files there. */
  env(prefix: string, port?: number): Record<string, string>
  /** Decides about each request; none by default. */
  fault: (operation: S3Operation, key: string) => S3Fault | undefined | Promise<undefined>
  /** In their order. */
  events: S3Event[]
  /** Requests that arrived and are not finished. */
  readonly open: number
  /** Keys of the uploads in parts that were begun, and neither completed nor ended, with a directory for each. */
  uploads(): { key: string; directory: string }[]
  close(): Promise<void>
}

export const BUCKET = 'files'
const REGION = 'us-east-1'
const KEYS = { accessKeyId: 'SORTIE', secretAccessKey: 'a secret of the storage' }
const DRIP_PAUSE_MS = 50

/**
 * A server of S3 with one empty bucket. s3rver keeps the objects; what it lacks is here in front of it: it refuses
 * requests that are not signed correctly, lists and ends uploads in parts, and has the faults of the test.
 */
export const startS3Server = async (): Promise<S3Server> => {
  install()
  const S3rver = createRequire(path.join(INSTALLED, 'package.json'))('s3rver') as S3rverClass
  const directory = mkdtempSync(path.join(os.tmpdir(), 'sortie-s3-'))
  const options = { address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: [{ name: BUCKET }] }
  const store = new S3rver(options)
  const { port: storePort } = await store.run()
  const parts = path.join(directory, BUCKET, '._S3rver_uploads')
  const uploads = () =>
    (existsSync(parts) ? readdirSync(parts) : []).map((id) => ({
      key: readFileSync(path.join(parts, id, 'key'), 'utf8'),
      directory: path.join(parts, id),
    }))
  const open = new Set<IncomingMessage>()

  /** What s3rver lacks. */
  const answerItself = (operation: S3Operation, url: URL): { status: number; xml: string } | undefined => {
    if (operation === 'list uploads') {
      const found = uploads().map(
        ({ key, directory: part }) =>
          `<Upload><Key>${key}</Key><UploadId>${path.basename(part)}</UploadId><Initiated>${statSync(part).mtime.toISOString()}</Initiated></Upload>`,
      )
      return { status: 200, xml: `<ListMultipartUploadsResult>${found.join('')}</ListMultipartUploadsResult>` }
    }
    if (!['part', 'complete', 'abort'].includes(operation)) return undefined
    const id = url.searchParams.get('uploadId') ?? ''
    if (!/^[0-9a-f]+$/.test(id) || !existsSync(path.join(parts, id)))
      return { status: 404, xml: '<Error><Code>NoSuchUpload</Code></Error>' }
    if (operation !== 'abort') return undefined
    rmSync(path.join(parts, id), { recursive: true })
    return { status: 204, xml: '' }
  }

  const handle = async (incoming: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const url = new URL(incoming.url ?? '', 'http://storage')
    const [, bucket = '', ...rest] = url.pathname.split('/')
    const key = decodeURIComponent(rest.join('/'))
    const operation = operationOf(incoming, url, key)
    const fault = await server.fault(operation, key)
    const done = (status: number) => server.events.push({ operation, key, status })
    const refuse = (status: number, code: string) => {
      done(status)
      answer.writeHead(status, { 'content-type': 'application/xml' })
      answer.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>refused by the test</Message></Error>`)
    }
    if (fault === 'hang') {
      incoming.resume()
      return void done(0)
    }
    if (fault === 'cut') {
      if (incoming.headers['content-length'] !== undefined) await incoming.iterator({ destroyOnReturn: false }).next()
      incoming.socket.destroy()
      return void done(0)
    }
    const body =
      fault && typeof fault === 'object' && 'dripBytes' in fault
        ? await readSlowly(incoming, fault.dripBytes)
        : await buffer(incoming)
    const headers = incoming.headers as Record<string, string | undefined>
    const signed = { method: incoming.method ?? '', target: incoming.url ?? '', headers, body }
    const refusal = refusalOf(signed, KEYS, REGION, Date.now())
    if (refusal !== undefined) return refuse(refusal === 'XAmzContentSHA256Mismatch' ? 400 : 403, refusal)
    if (fault && typeof fault === 'object' && 'status' in fault) return refuse(fault.status, fault.code)
    const own = bucket === BUCKET ? answerItself(operation, url) : undefined
    if (own) {
      done(own.status)
      answer.writeHead(own.status, { 'content-type': 'application/xml' })
      answer.end(own.xml)
      return
    }
    // s3rver knows only its own key.
    const authorization = headers['authorization']?.replace(KEYS.accessKeyId, 'S3RVER')
    const passed = request({
      host: '127.0.0.1',
      port: storePort,
      method: incoming.method,
      path: incoming.url,
      agent: false,
      headers: { ...incoming.headers, authorization },
    })
    passed.end(body)
    const stored = await new Promise<IncomingMessage>((resolve, reject) => {
      passed.once('response', resolve)
      passed.once('error', reject)
    })
    const { statusCode: status = 0 } = stored
    done(status)
    if (fault === 'lose') {
      stored.resume()
      incoming.socket.destroy()
      return
    }
    answer.writeHead(status, stored.headers)
    const half = Number(stored.headers['content-length']) / 2
    const step = typeof fault === 'object' && 'dripBytes' in fault ? fault.dripBytes : Number.POSITIVE_INFINITY
    let sent = 0
    for await (const chunk of stored as AsyncIterable<Buffer>) {
      for (let from = 0; from < chunk.length && !answer.destroyed; from += step) {
        const piece = chunk.subarray(from, Math.min(from + step, chunk.length))
        if (!answer.write(piece)) await drained(answer)
        sent += piece.length
        if (step < Number.POSITIVE_INFINITY) await sleep(DRIP_PAUSE_MS)
        if (fault === 'halve' && sent >= half) {
          answer.destroy()
          return
        }
      }
      if (answer.destroyed) return
    }
    answer.end()
  }

  const front = createServer((incoming, answer) => {
    open.add(incoming)
    answer.once('close', () => open.delete(incoming))
    handle(incoming, answer).catch(() => answer.destroy())
  })
  await new Promise<void>((resolve) => {
    front.listen(0, '127.0.0.1', resolve)
  })
  const { port } = front.address() as AddressInfo
  const server: S3Server = {
    port,
    directory: path.join(directory, BUCKET),
    env: (prefix, through = port) => ({
      STORAGE_URL: `s3://${BUCKET}/${prefix}?endpoint=${encodeURIComponent(`http://127.0.0.1:${through}`)}`,
      AWS_ACCESS_KEY_ID: KEYS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
    }),
    fault: () => undefined,
    events: [],
    get open() {
      return open.size
    },
    uploads,
    close: async () => {
      front.closeAllConnections()
      await new Promise((resolve) => front.close(resolve))
      await store.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
  return server
}

const operationOf = ({ method, headers }: IncomingMessage, { searchParams }: URL, key: string): S3Operation => {
  const isUpload = searchParams.has('uploadId')
  switch (method) {
    case 'GET':
      if (key !== '') return 'get'
      return searchParams.has('uploads') ? 'list uploads' : 'list'
    case 'HEAD':
      return 'head'
    case 'DELETE':
      return isUpload ? 'abort' : 'delete'
    case 'POST':
      return isUpload ? 'complete' : 'begin'
    default:
      if (isUpload) return 'part'
      return 'x-amz-copy-source' in headers ? 'copy' : 'put'
  }
}

const readSlowly = async (incoming: IncomingMessage, bytes: number): Promise<Buffer> => {
  const pieces: Buffer[] = []
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    pieces.push(chunk)
    await sleep(DRIP_PAUSE_MS * Math.max(1, Math.floor(chunk.length / bytes)))
  }
  return Buffer.concat(pieces)
}

const drained = (answer: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const go = () => {
      answer.off('drain', go).off('close', go)
      resolve()
    }
    answer.once('drain', go).once('close', go)
  })
