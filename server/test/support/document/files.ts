import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { TestClient, TestResponse } from '../app/test-client.ts'

/** The path of an engagement's files at the key door. */
export const filesOf = (engagementId: string): string => `/api/v1/engagements/${engagementId}/files`

export const newEngagement = async (client: TestClient, name = 'Engagement'): Promise<string> =>
  (await client.post(`${client.headers.cookie ? '/api/web' : '/api/v1'}/engagements`, { name })).body.data.id

export const upload = (
  client: TestClient,
  files: string,
  bytes: string | Uint8Array,
  fileName = 'file.bin',
  headers = {},
): Promise<TestResponse> =>
  client.request('POST', `${files}?fileName=${encodeURIComponent(fileName)}`, { rawBody: bytes, headers })

export const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/**
 * Every file below a directory, by its relative path, without the hidden ones: the mark of the storage, its quarantine.
 */
export const filesBelow = (directory: string): string[] =>
  existsSync(directory)
    ? readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
        .filter((file) => !file.startsWith('.'))
        .toSorted()
    : []
