import { createRequestFolder } from '../../../features/requests/folders/folders.service.ts'
import { createApiRequest } from '../../../features/requests/saved/requests.service.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Writer } from '../../../platform/context.ts'
import { type DemoResponse, seedRun } from '../demo-runs.ts'

const PORTAL = 'https://portal.contoso.example'

/** The requests that show the findings of last year's portal, with what it answered then. */
const REQUESTS: readonly (readonly [name: string, method: 'GET' | 'POST', url: string, answer: DemoResponse])[] = [
  [
    'Export of all users as a guest',
    'GET',
    `${PORTAL}/admin/export`,
    { status: 200, statusText: 'OK', body: { rows: 4_182, file: 'users.csv' } },
  ],
  [
    'Sign-in, the thousandth attempt',
    'POST',
    `${PORTAL}/login`,
    { status: 401, statusText: 'Unauthorized', body: { error: 'wrong password' } },
  ],
  [
    'Account after sign-out',
    'GET',
    `${PORTAL}/account`,
    { status: 200, statusText: 'OK', body: { name: 'Test guest', role: 'guest' } },
  ],
  ['Old jQuery', 'GET', `${PORTAL}/assets/vendor-1.js`, { status: 200, statusText: 'OK', body: 'jQuery v1.12.4' }],
  [
    'First node with TLS 1.0',
    'GET',
    'https://node-1.portal.contoso.example/',
    { status: 200, statusText: 'OK', body: 'ok', tlsVersion: 'TLSv1' },
  ],
]

/** Saves the requests of the findings to test again. Their runs are pinned, since they are older than runs are kept. */
export const seedPortalRequests = async (writer: Writer, actor: Actor, engagementId: string): Promise<void> => {
  const { id: folderId } = await createRequestFolder(writer, actor, { engagementId, name: 'Proofs' })
  for (const [name, method, url, answer] of REQUESTS) {
    const { id } = await createApiRequest(writer, actor, { engagementId, folderId, name, method, url })
    await seedRun(writer, actor, engagementId, { id, method, url }, { ...answer, isPinned: true })
  }
}
