import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseConfig } from '../../../src/platform/config.ts'
import { tooLarge } from '../../../src/platform/errors.ts'
import { createStorage } from '../../../src/platform/files/open-storage.ts'
import type { FilePlace, OpenedFile, Storage, StoredFile } from '../../../src/platform/files/storage.ts'
import { newId } from '../../../src/platform/ids.ts'
import { eventually } from '../../support/app/server-process.ts'
import { sha256 } from '../../support/document/files.ts'
import { FaultProxy } from '../../support/network/fault-proxy.ts'
import { type S3Server, startS3Server } from '../../support/storage/s3-server.ts'
import { refusalOf } from '../../support/storage/signature-check.ts'

const root = mkdtempSync(path.join(os.tmpdir(), 'sortie-storages-'))
let server: S3Server
let proxy: FaultProxy

const open = (env: Record<string, string>): Promise<Storage> =>
  createStorage(
    parseConfig({
      SESSION_SECRET: 'a secret of the test that is long enough',
      DATA_DIR: root,
      STORAGE_PATH: path.join(root, 'uploads'),
      ...env,
    }),
  )
const newPlace = (): FilePlace => ({ organizationId: newId('org'), fileId: newId('fil') })
const limit = { maxBytes: 64 * 1024 * 1024, refusal: () => tooLarge(1) }
const store = (storage: Storage, place: FilePlace, bytes: Buffer) =>
  storage.receive(place, Readable.from([bytes]), limit)
const read = async (storage: Storage, place: FilePlace, hash?: string) => {
  const opened = await storage.open(place, hash)
  return opened && buffer(opened.createReadStream())
}
const all = async (files: AsyncGenerator<StoredFile[]>): Promise<StoredFile[]> => {
  const found: StoredFile[] = []
  for await (const group of files) found.push(...group)
  return found
}
const objectOf = ({ path: key }: StoredFile) => path.join(server.directory, `${key}._S3rver_object`)

beforeAll(async () => {
  server = await startS3Server()
  proxy = await FaultProxy.start({ host: '127.0.0.1', port: server.port })
})
afterAll(async () => {
  await proxy.close()
  await server.close()
  rmSync(root, { recursive: true, force: true })
})

describe.each([
  ['a directory', () => open({})],
  ['a bucket', () => open(server.env('both'))],
])('%s', (_name, opened) => {
  test.each([
    ['a small file', 1_000],
    ['a file of several parts', 12 * 1024 * 1024 + 7],
  ])('%s is stored with its size and SHA-256, and read back as it was', async (_size, length) => {
    const storage = await opened()
    const [place, bytes] = [newPlace(), randomBytes(length)]
    const received = await store(storage, place, bytes)
    expect(received).toEqual({ size: length, sha256: sha256(bytes), head: bytes.subarray(0, 64) })
    expect(await storage.has(place)).toBe(true)
    expect((await read(storage, place, received.sha256))?.equals(bytes)).toBe(true)
    const local = await storage.borrow(place, received.sha256)
    expect(readFileSync(local?.path ?? '').equals(bytes)).toBe(true)
    await local?.release()
    await storage.discard(place)
    expect(await storage.has(place)).toBe(false)
    expect(await read(storage, place)).toBeUndefined()
  })

  test('a file that is empty, too large, or breaks off leaves nothing', async () => {
    const storage = await opened()
    const place = newPlace()
    await expect(storage.receive(place, Readable.from([]), limit)).rejects.toThrow('The body is empty')
    const large = storage.receive(place, Readable.from([randomBytes(9)]), { ...limit, maxBytes: 8 })
    await expect(large).rejects.toThrow('The body is larger')
    const broken = Readable.from(
      (async function* pieces() {
        yield randomBytes(6 * 1024 * 1024)
        throw new Error('the client is gone')
      })(),
    )
    await expect(storage.receive(place, broken, limit)).rejects.toThrow()
    expect((await all(storage.list(10))).map(({ fileId }) => fileId)).not.toContain(place.fileId)
  })

  test('a file goes to quarantine and back, and is deleted from there after its day', async () => {
    const storage = await opened()
    const [place, bytes] = [newPlace(), Buffer.from('quarantined')]
    await store(storage, place, bytes)
    const found = async (files: AsyncGenerator<StoredFile[]>) =>
      (await all(files)).find(({ fileId }) => fileId === place.fileId)
    const stored = (await found(storage.list(1))) as StoredFile
    expect(await storage.isOlder(stored, Date.now() - 60_000)).toBe(false)
    expect(await storage.isOlder(stored, Date.now() + 60_000)).toBe(true)
    await storage.quarantine('2026-11-01', stored)
    expect(await storage.has(place)).toBe(false)
    await storage.putBack((await found(storage.quarantined(1))) as StoredFile)
    expect((await read(storage, place))?.equals(bytes)).toBe(true)
    await storage.quarantine('2026-11-01', (await found(storage.list(1))) as StoredFile)
    await storage.emptyQuarantine('2026-11-01')
    expect(await found(storage.quarantined(1))).toBeDefined()
    await storage.emptyQuarantine('2026-11-02')
    expect(await found(storage.quarantined(1))).toBeUndefined()
    expect(await storage.has(place)).toBe(false)
  })

  test('a note is written, replaced and removed, and the probe leaves nothing', async () => {
    const storage = await opened()
    await storage.writeNote('.note', 'one')
    await storage.writeNote('.note', 'two')
    expect(await storage.readNote('.note')).toBe('two')
    await storage.removeNote('.note')
    expect(await storage.readNote('.note')).toBeUndefined()
    expect(await storage.probe(true)).toBeUndefined()
  })
})

describe('a bucket', () => {
  test('whose object is damaged: the reader fails before its last bytes', async () => {
    const storage = await open(server.env('damaged'))
    const [place, bytes] = [newPlace(), Buffer.from('evidence of a finding')]
    await store(storage, place, bytes)
    const [stored] = await all(storage.list(10))
    const object = objectOf(stored as StoredFile)
    expect(existsSync(object)).toBe(true)
    writeFileSync(object, 'evidence of a FINDING')
    await expect(read(storage, place, sha256(bytes))).rejects.toThrow()
  })

  test('whose connections are cut: a reader goes on where it was, an upload in parts repeats its part', async () => {
    const storage = await open(server.env('cut', proxy.port))
    const [place, bytes] = [newPlace(), randomBytes(12 * 1024 * 1024)]
    await store(storage, place, bytes)
    const opened = (await storage.open(place, sha256(bytes))) as OpenedFile
    const pieces: Buffer[] = []
    let isCut = false
    for await (const piece of opened.createReadStream()) {
      pieces.push(piece)
      if (isCut) continue
      isCut = true
      await proxy.set('reset')
      await proxy.set('pass')
    }
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true)
  })

  test('that is away: an upload is refused with 503 and a reader too; nothing is left', async () => {
    const storage = await open(server.env('away', proxy.port))
    const place = newPlace()
    await proxy.set('cut')
    await expect(store(storage, place, Buffer.from('lost'))).rejects.toMatchObject({ status: 503 })
    await expect(storage.open(place)).rejects.toMatchObject({ status: 503 })
    expect(await storage.probe(true)).toMatch(/does not answer \(ECONNREFUSED\)/)
    await proxy.set('pass')
    expect(await all(storage.list(10))).toEqual([])
  })

  test('whose readers are gone: no request of theirs stays open, whether they had begun to read or not', async () => {
    const storage = await open(server.env('readers'))
    const place = newPlace()
    await store(storage, place, randomBytes(12 * 1024 * 1024))
    for (let reader = 0; reader < 10; reader++) {
      const stream = (await storage.open(place))?.createReadStream() as Readable
      if (reader % 2) await stream.iterator({ destroyOnReturn: false }).next()
      stream.destroy()
    }
    await eventually(() => expect(server.open).toBe(0))
  })

  test.each([
    ['that is not there', { STORAGE_URL: 's3://missing/?endpoint=' }, /^STORAGE_URL: there is no bucket missing at /],
    ['with an unknown key', { AWS_ACCESS_KEY_ID: 'UNKNOWN' }, /AWS_ACCESS_KEY_ID is unknown there/],
    ['with a wrong secret', { AWS_SECRET_ACCESS_KEY: 'wrong' }, /AWS_SECRET_ACCESS_KEY is not that of the access key/],
  ])('%s: the probe names the setting', async (_what, env, line) => {
    const { STORAGE_URL: url, ...rest } = env as Record<string, string>
    const endpoint = encodeURIComponent(`http://127.0.0.1:${server.port}`)
    const storage = await open({ ...server.env('refused'), ...rest, ...(url && { STORAGE_URL: `${url}${endpoint}` }) })
    await expect(storage.probe(true)).rejects.toThrow(line)
  })

  test.each([
    ['s3://bucket?endpoint=http://192.0.2.1', /https:\/\/; http:\/\/ is allowed only for loopback/],
    ['s3://key:secret@bucket', /must have no key or secret/],
    ['s3://bucket/../x?endpoint=ftp://a', /endpoint/],
    ['s3://bucket?acl=public', /unknown parameter, acl/],
    ['https://bucket', /must be an address such as s3:/],
  ])('STORAGE_URL %s is refused', (url, problem) => {
    const settings = { SESSION_SECRET: 'x'.repeat(32), AWS_ACCESS_KEY_ID: 'KEY', AWS_SECRET_ACCESS_KEY: 's' }
    expect(() => parseConfig({ ...settings, STORAGE_URL: url })).toThrow(problem)
  })
})

describe('the check of signatures in front of the server of S3', () => {
  // Examples of AWS: "Authenticating Requests: Using the Authorization Header (AWS Signature Version 4)".
  const keys = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' }
  const at = Date.parse('2013-05-24T00:00:00Z')
  const nothing = sha256('')
  const signed = (
    method: string,
    target: string,
    signature: string,
    others: Readonly<Record<string, string>> = {},
    body = '',
  ) => {
    const headers = {
      host: 'examplebucket.s3.amazonaws.com',
      'x-amz-content-sha256': body ? sha256(body) : nothing,
      'x-amz-date': '20130524T000000Z',
      ...others,
    }
    const names = Object.keys(headers).toSorted().join(';')
    const scope = `${keys.accessKeyId}/20130524/us-east-1/s3/aws4_request`
    const authorization = `AWS4-HMAC-SHA256 Credential=${scope},SignedHeaders=${names},Signature=${signature}`
    return { method, target, headers: { ...headers, authorization }, body: Buffer.from(body) }
  }
  const read = signed('GET', '/test.txt', 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41', {
    range: 'bytes=0-9',
  })
  const written = signed(
    'PUT',
    '/test%24file.text',
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    'Welcome to Amazon S3.',
  )
  const listed = signed(
    'GET',
    '/?max-keys=2&prefix=J',
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  )
  const configured = signed('GET', '/?lifecycle', 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543')

  test('accepts the four requests that AWS has published', () => {
    for (const request of [read, written, listed, configured])
      expect(refusalOf(request, keys, 'us-east-1', at), request.target).toBeUndefined()
  })

  test.each([
    ['another secret', 'SignatureDoesNotMatch', read, { secretAccessKey: 'another' }],
    ['another key', 'InvalidAccessKeyId', read, { accessKeyId: 'ANOTHER' }],
    ['another path', 'SignatureDoesNotMatch', { ...read, target: '/other.txt' }, {}],
    ['another query', 'SignatureDoesNotMatch', { ...listed, target: '/?max-keys=3&prefix=J' }, {}],
    ['another method', 'SignatureDoesNotMatch', { ...read, method: 'DELETE' }, {}],
    ['another body', 'XAmzContentSHA256Mismatch', { ...written, body: Buffer.from('Welcome') }, {}],
    [
      'a header that is not signed',
      'AccessDenied',
      { ...read, headers: { ...read.headers, 'x-amz-acl': 'public-read' } },
      {},
    ],
    ['no signature', 'AccessDenied', { ...read, headers: { host: 'a' } }, {}],
  ] as const)('refuses a request with %s: %s', (_what, refusal, request, others) => {
    expect(refusalOf(request, { ...keys, ...others }, 'us-east-1', at)).toBe(refusal)
  })

  test('refuses another region, and a clock that is wrong by more than fifteen minutes', () => {
    expect(refusalOf(read, keys, 'eu-central-1', at)).toBe('AuthorizationHeaderMalformed')
    expect(refusalOf(read, keys, 'us-east-1', at + 15 * 60_000)).toBeUndefined()
    expect(refusalOf(read, keys, 'us-east-1', at + 15 * 60_000 + 1)).toBe('RequestTimeTooSkewed')
  })
})
