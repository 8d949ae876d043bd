import type { Transaction } from '../../../platform/database/transaction.ts'
import { clearDefaultTemplate } from './report-settings.queries.ts'

/** A template that is deleted is not the default any more. */
export const forgetDefaultTemplate = (tx: Transaction, organizationId: string, templateId: string): Promise<void> =>
  clearDefaultTemplate(tx, organizationId, templateId)
