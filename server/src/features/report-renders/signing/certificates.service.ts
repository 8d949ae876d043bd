import type { Body } from '@sortie/contract/core/endpoint.ts'
import type * as contract from '@sortie/contract/reports/signing-certificate.ts'
import { authorOf, type Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import { ThreadLimitError } from '../../../platform/concurrency/threads.ts'
import type { Platform, Writer } from '../../../platform/context.ts'
import { decrypt, encrypt, type Keys, resealed } from '../../../platform/crypto.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { conflict, internalError, invalid } from '../../../platform/errors.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { changeOrganization } from '../../organizations/organization-change.service.ts'
import * as query from './certificates.queries.ts'
import type { Identity } from './signing-task.ts'
import { signing } from './threads.ts'

const NO_CERTIFICATE = 'This organization has no certificate to sign with.'
const NOT_VALID = 'The certificate is not valid now: upload another one in the settings of reports.'
const NOT_READABLE = 'The certificate can no longer be decrypted: upload it again in the settings of reports.'

const contextOf = (organizationId: string): string => `report_certificates.sealed ${organizationId}`

const seal = ({ encryption }: Pick<Keys, 'encryption'>, organizationId: string, { pkcs12, passphrase }: Identity) =>
  encrypt(
    encryption,
    JSON.stringify({ pkcs12: Buffer.from(pkcs12).toString('base64'), passphrase }),
    contextOf(organizationId),
  )

const unseal = ({ encryption }: Pick<Keys, 'encryption'>, organizationId: string, sealed: Buffer): Identity => {
  const { pkcs12, passphrase } = JSON.parse(decrypt(encryption, sealed, contextOf(organizationId)))
  return { pkcs12: Buffer.from(pkcs12, 'base64'), passphrase }
}

/**
 * Stores the certificate that signs PDF files, once it was opened and has made a signature.
 *
 * @throws ApiError VALIDATION_ERROR with the reason for one that cannot sign
 */
export const uploadCertificate = async (
  { change, clock, keys }: Writer & Pick<Platform, 'keys'>,
  actor: Actor,
  { pkcs12, passphrase }: Body<typeof contract.uploadSigningCertificate>,
): Promise<query.CertificateRow> => {
  const { organizationId } = actor
  const identity = { pkcs12: Buffer.from(pkcs12, 'base64'), passphrase }
  const read = await readIdentity(organizationId, identity, clock.now())
  if ('refusal' in read) throw invalid(read.refusal)
  const { subject, issuer, sha256, notBefore, notAfter } = read.certificate
  return changeOrganization(change, actor, async (tx, { name }) => {
    const before = await query.findCertificate(tx, organizationId)
    await query.upsertCertificate(tx, {
      organization_id: organizationId,
      sealed: seal(keys, organizationId, identity),
      subject,
      issuer,
      sha256,
      not_before: isoTime(notBefore),
      not_after: isoTime(notAfter),
      created_by: authorOf(actor),
      created_at: isoTime(clock.now()),
    })
    await recordAudit(tx, actor, clock, {
      action: 'report-settings.certificate-uploaded',
      object: { type: 'organization', id: organizationId },
      before: { name, ...(before && { subject: before.subject, sha256: before.sha256 }) },
      after: { subject, issuer, sha256, notAfter: isoTime(notAfter) },
    })
    const stored = await query.findCertificate(tx, organizationId)
    if (!stored) throw internalError(new Error('a certificate that was just stored is there'))
    return stored
  })
}

/** A file that takes too long to open is refused: its author chose how much work that is. */
const readIdentity = async (organizationId: string, identity: Identity, now: number) => {
  try {
    return await signing.run(organizationId, 'readCertificate', { identity, now })
  } catch (error) {
    if (error instanceof ThreadLimitError) return { refusal: 'pkcs12: takes too long to open' }
    throw error
  }
}

/** Removes the certificate with its private key; without one, nothing changes. */
export const removeCertificate = ({ change, clock }: Writer, actor: Actor): Promise<void> =>
  changeOrganization(change, actor, async (tx, { name }) => {
    const { organizationId } = actor
    const removed = await query.deleteCertificate(tx, organizationId)
    if (!removed) return
    await recordAudit(tx, actor, clock, {
      action: 'report-settings.certificate-removed',
      object: { type: 'organization', id: organizationId },
      before: { name, ...removed },
    })
  })

export interface Signatory {
  name: string
  identity: Identity
}

/** Opens the certificate of the organization. @throws ApiError CONFLICT without one that is valid and can be opened */
export const openCertificate = async (
  { db, clock, keys }: Pick<Platform, 'db' | 'clock' | 'keys'>,
  organizationId: string,
): Promise<Signatory> => {
  const found = await query.findSealed(db, organizationId)
  if (!found) throw conflict(NO_CERTIFICATE)
  const now = clock.now()
  if (Date.parse(found.not_before) > now || Date.parse(found.not_after) <= now) throw conflict(NOT_VALID)
  try {
    return { name: found.subject, identity: unseal(keys, organizationId, found.sealed) }
  } catch {
    throw conflict(NOT_READABLE)
  }
}

/** After a rotation of `SESSION_SECRET`: encrypts certificates with the new one. */
export const resealCertificates = async ({ db, keys }: Platform): Promise<void> => {
  for (const { organization_id: organizationId, sealed } of await query.listSealedCertificates(db)) {
    const renewed = resealed(keys.encryption, sealed, contextOf(organizationId))
    if (renewed) await transaction(db, (tx) => query.updateSealedCertificate(tx, organizationId, sealed, renewed))
  }
}
