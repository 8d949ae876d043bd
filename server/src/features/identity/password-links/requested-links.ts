import type { Clock } from '../../../platform/clock.ts'
import { sha256 } from '../../../platform/crypto.ts'

/**
 * How long a link works that somebody asked for without being signed in. Its mails are counted for as long, so that there is
 * always either a working link in the mailbox or a mail left to send.
 */
export const REQUESTED_LINK_LIFETIME_MS = 60 * 60 * 1000
const MAILS_PER_LINK = 3

/** The newest link of its kind that an account has. */
export interface RequestedLink {
  id: string
  token_hash: Buffer
  expires_at: string
  mails: number
}

/**
 * What a request for a mailed link leads to. A stranger may ask as well as the person (finding S36), so a request never ends
 * the link that was mailed before: as long as that works, it is mailed again. The third mail of a link is its last: one
 * account gets at most three mails an hour, unless the person uses the link.
 *
 * @param tokenOf the token of a link as it is derived now: with another `SESSION_SECRET` than the link was made with, the link is dead
 */
export const nextMail = (link: RequestedLink | undefined, tokenOf: (id: string) => string, clock: Clock): 'a new link' | 'the same link' | 'none' => {
  const works = link && Date.parse(link.expires_at) > clock.now() && sha256(tokenOf(link.id)).equals(link.token_hash)
  if (!works) return 'a new link'
  return link.mails < MAILS_PER_LINK ? 'the same link' : 'none'
}
