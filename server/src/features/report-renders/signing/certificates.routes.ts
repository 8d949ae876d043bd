import * as contract from '@sortie/contract/reports/signing-certificate.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import { type CertificateRow, findCertificate } from './certificates.queries.ts'
import { removeCertificate, uploadCertificate } from './certificates.service.ts'

export const certificateRoutes: Route[] = [
  route(contract.getSigningCertificate, async ({ db, actor }) => {
    const row = await findCertificate(db, actor.organizationId)
    return { data: { certificate: row ? toCertificate(row) : null } }
  }),

  route(contract.uploadSigningCertificate, async (context) => ({
    data: toCertificate(await uploadCertificate(context, context.actor, context.body)),
  })),

  route(contract.deleteSigningCertificate, async (context) => {
    await removeCertificate(context, context.actor)
    return { data: { deleted: true } }
  }),
]

const toCertificate = (row: CertificateRow) => ({
  subject: row.subject,
  issuer: row.issuer,
  sha256: row.sha256,
  notBefore: row.not_before,
  notAfter: row.not_after,
  createdBy:
    row.created_by === null || row.creator_name === null ? null : { id: row.created_by, name: row.creator_name },
  createdAt: row.created_at,
})
