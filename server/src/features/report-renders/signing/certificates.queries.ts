import type { Insertable } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { ReportCertificates } from '../../../platform/database/types.gen.ts'

export type CertificateRow = NonNullable<Awaited<ReturnType<typeof findCertificate>>>

/** What is shown of the certificate of an organization. */
export const findCertificate = (db: Database, organizationId: string) =>
  db
    .selectFrom('report_certificates as c')
    .leftJoin('users as u', 'u.id', 'c.created_by')
    .select(['c.subject', 'c.issuer', 'c.sha256', 'c.not_before', 'c.not_after', 'c.created_by', 'c.created_at'])
    .select('u.name as creator_name')
    .where('c.organization_id', '=', organizationId)
    .executeTakeFirst()

/** The certificate with its sealed private key. */
export const findSealed = (db: Database, organizationId: string) =>
  db
    .selectFrom('report_certificates')
    .select(['sealed', 'subject', 'not_before', 'not_after'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()

/** Adds or replaces it. */
export const upsertCertificate = async (
  tx: Transaction,
  { organization_id, ...columns }: Insertable<ReportCertificates>,
): Promise<void> => {
  await tx
    .insertInto('report_certificates')
    .values({ organization_id, ...columns })
    .onConflict((same) => same.column('organization_id').doUpdateSet(columns))
    .execute()
}

/** @returns what was deleted */
export const deleteCertificate = (tx: Transaction, organizationId: string) =>
  tx
    .deleteFrom('report_certificates')
    .where('organization_id', '=', organizationId)
    .returning(['subject', 'sha256'])
    .executeTakeFirst()

/** Of every organization. */
export const listSealedCertificates = (db: Database) =>
  db.selectFrom('report_certificates').select(['organization_id', 'sealed']).execute()

/** Does nothing if the certificate was replaced meanwhile. */
export const updateSealedCertificate = async (
  tx: Transaction,
  organizationId: string,
  before: Buffer,
  sealed: Buffer,
): Promise<void> => {
  await tx
    .updateTable('report_certificates')
    .set({ sealed })
    .where('organization_id', '=', organizationId)
    .where('sealed', '=', before)
    .execute()
}
