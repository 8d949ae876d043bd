import type { Selectable } from 'kysely'
import type { Platform } from '../context.ts'
import type { Mails } from '../database/types.gen.ts'
import type { MailContent } from './layout.ts'

/** A mail of the outbox. */
export type MailRow = Selectable<Mails>

/** A kind of mail: its content is made from the row when it is sent. */
export interface MailTemplate {
  kind: string
  /** @returns undefined if the mail has become pointless, for example because the invitation was revoked */
  render(platform: Platform, mail: MailRow): Promise<MailContent | undefined>
}
