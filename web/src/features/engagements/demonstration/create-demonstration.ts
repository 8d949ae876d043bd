import { addressOfCall, call } from '../../../api/api.ts'
import { uploadFile } from '../../../shell/uploads/upload-file.ts'
import { DESCRIPTION, FINDINGS, NMAP_FILE, SCOPE, TARGETS, TASKS, VULNERABILITIES } from './data.ts'
import { DEMONSTRATION_NAME } from './name.ts'

/**
 * Creates the demonstration engagement with the user's own rights, by the calls that a person would make. It is
 * completed before anything is in it: a completed engagement sends nothing.
 *
 * @returns its id
 * @throws ApiError, ConnectionError, after the engagement was deleted again
 */
export const createDemonstration = async (organizationId: string): Promise<string> => {
  const once = { retries: 0 }
  const { data } = await call(
    organizationId,
    'createEngagement',
    { body: { name: DEMONSTRATION_NAME, description: DESCRIPTION } },
    once,
  )
  const engagementId = data.id
  const params = { engagementId }
  try {
    await call(organizationId, 'updateEngagement', { params, body: { status: 'completed' } }, once)
    for (const [effect, text] of Object.entries(SCOPE)) {
      await call(
        organizationId,
        'createScopeRules',
        { body: { engagementId, effect: effect as keyof typeof SCOPE, text } },
        once,
      )
    }
    await call(organizationId, 'createTargets', { body: { engagementId, text: TARGETS } }, once)
    const file = new File([NMAP_FILE], 'contoso-nmap.xml', { type: 'application/xml' })
    const address = addressOfCall('createImport', { query: { engagementId, fileName: file.name } })
    await uploadFile(organizationId, address, file, {
      signal: new AbortController().signal,
      onProgress: () => undefined,
    })
    for (const result of VULNERABILITIES)
      await call(organizationId, 'createResult', { body: { engagementId, ...result } }, once)
    for (const task of TASKS) await call(organizationId, 'createTask', { body: { engagementId, ...task } }, once)
    for (const finding of FINDINGS)
      await call(organizationId, 'createFinding', { body: { engagementId, ...finding } }, once)
  } catch (error) {
    // Half of a demonstration shows nothing. If this fails as well, the first failure is what matters.
    await call(organizationId, 'deleteEngagement', { params, body: { name: DEMONSTRATION_NAME } }, once).catch(
      () => undefined,
    )
    throw error
  }
  return engagementId
}
