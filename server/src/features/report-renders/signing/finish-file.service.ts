import type { RenderFormat } from '@sortie/contract/reports/report-renders.ts'
import type { Platform } from '../../../platform/context.ts'
import { invalid } from '../../../platform/errors.ts'
import { openCertificate, type Signatory } from './certificates.service.ts'
import { signing } from './threads.ts'

/** Longest password, in bytes: ISO 32000-2, 7.6.4.3.3. */
const MAX_PASSWORD_BYTES = 127

/** What happens to the PDF file of an edition after it is rendered. */
export interface Finishing {
  /** Null: it is not signed. */
  signatory: Signatory | null
  /** Null: everyone opens it. */
  password: string | null
}

/**
 * @throws ApiError VALIDATION_ERROR without a PDF file and for a password that is too long, CONFLICT without a
 *   certificate that can sign
 */
export const prepareFinishing = async (
  platform: Pick<Platform, 'db' | 'clock' | 'keys'>,
  organizationId: string,
  formats: readonly RenderFormat[],
  { sign = false, password }: { sign?: boolean | undefined; password?: string | undefined },
): Promise<Finishing> => {
  if (!formats.includes('pdf')) {
    if (sign) throw invalid('sign: only a PDF file can be signed, and formats has no pdf')
    if (password !== undefined) throw invalid('password: only a PDF file can have one, and formats has no pdf')
  }
  // Readers normalize what is typed (SASLprep, RFC 4013).
  const normalized = password?.normalize('NFKC') ?? null
  if (normalized !== null && Buffer.byteLength(normalized) > MAX_PASSWORD_BYTES)
    throw invalid(`password: must have at most ${MAX_PASSWORD_BYTES} bytes`)
  return { signatory: sign ? await openCertificate(platform, organizationId) : null, password: normalized }
}

/** Encrypts and signs a PDF file, in this process: the one that renders has no keys. */
export const finishFile = async (
  { clock }: Pick<Platform, 'clock'>,
  organizationId: string,
  pdf: Uint8Array,
  { signatory, password }: Finishing,
): Promise<Uint8Array> =>
  signatory === null && password === null
    ? pdf
    : signing.run(organizationId, 'finishPdf', {
        pdf,
        password,
        signature: signatory && { ...signatory, at: clock.now() },
      })

/** What the audit log has of it. */
export const shownOf = ({ signatory, password }: Finishing) => ({
  ...(signatory && { signedBy: signatory.name }),
  ...(password !== null && { encrypted: true }),
})
